export interface WavHeader {
  readonly riffBytes: number;
  readonly format: number;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bitsPerSample: number;
  readonly dataBytes: number;
  readonly dataOffset: number;
}

/** Reads a wav header chunk by chunk. */
export function readWav(bytes: Uint8Array): WavHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (offset: number) => new TextDecoder().decode(bytes.subarray(offset, offset + 4));
  if (tag(0) !== 'RIFF' || tag(8) !== 'WAVE') throw new Error('not a wav file');
  let offset = 12;
  let form: Pick<WavHeader, 'format' | 'channels' | 'sampleRate' | 'bitsPerSample'> | undefined;
  while (tag(offset) !== 'data') {
    if (tag(offset) === 'fmt ') {
      form = {
        format: view.getUint16(offset + 8, true),
        channels: view.getUint16(offset + 10, true),
        sampleRate: view.getUint32(offset + 12, true),
        bitsPerSample: view.getUint16(offset + 22, true),
      };
    }
    offset += 8 + view.getUint32(offset + 4, true);
  }
  if (form === undefined) throw new Error('no format chunk');
  return {
    ...form,
    riffBytes: view.getUint32(4, true),
    dataBytes: view.getUint32(offset + 4, true),
    dataOffset: offset + 8,
  };
}

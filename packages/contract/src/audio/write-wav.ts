interface WavOptions {
  readonly channels?: number;
  readonly bits?: number;
  /** The sizes in the header; the true ones when left out. */
  readonly sizes?: number;
}

/** A wav file with these samples. */
export function wavOf(
  data: Uint8Array,
  sampleRate: number,
  { channels = 1, bits = 16, sizes }: WavOptions = {},
): Uint8Array {
  const head = new DataView(new ArrayBuffer(44));
  const name = (at: number, text: string) => Buffer.from(head.buffer).write(text, at, 'latin1');
  name(0, 'RIFF');
  head.setUint32(4, sizes ?? data.length + 36, true);
  name(8, 'WAVEfmt ');
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, channels, true);
  head.setUint32(24, sampleRate, true);
  head.setUint32(28, (sampleRate * channels * bits) / 8, true);
  head.setUint16(32, (channels * bits) / 8, true);
  head.setUint16(34, bits, true);
  name(36, 'data');
  head.setUint32(40, sizes ?? data.length, true);
  return new Uint8Array(Buffer.concat([new Uint8Array(head.buffer), data]));
}

/** Sample rate of the audio in the transcripts, in Hz. The lowest there is, which keeps the files small. */
export const sampleRate = 8000;

export const bytesPerSample = 2;

/** Number of bytes of audio for a duration. */
export function byteLengthOf(milliseconds: number): number {
  return samplesIn(milliseconds) * bytesPerSample;
}

/** A wav header as a service writes it before it knows the length: both sizes are placeholders. */
export function streamedWavHeader(): Uint8Array {
  const header = new DataView(new ArrayBuffer(44));
  const ascii = (offset: number, text: string) => {
    for (let index = 0; index < text.length; index += 1)
      header.setUint8(offset + index, text.charCodeAt(index));
  };
  ascii(0, 'RIFF');
  header.setUint32(4, 0xffff_ffff, true);
  ascii(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, sampleRate * bytesPerSample, true);
  header.setUint16(32, bytesPerSample, true);
  header.setUint16(34, 8 * bytesPerSample, true);
  ascii(36, 'data');
  header.setUint32(40, 0xffff_ffff, true);
  return new Uint8Array(header.buffer);
}

function samplesIn(milliseconds: number): number {
  return (milliseconds * sampleRate) / 1000;
}

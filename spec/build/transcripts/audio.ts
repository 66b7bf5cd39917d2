/** Sample rate of the audio in the transcripts, in Hz. The lowest there is, which keeps the files small. */
export const sampleRate = 8000;

const bytesPerSample = 2;

/** A tone as 16-bit little-endian mono samples, swelling and fading so that one word can be told from the next. */
export function tone(milliseconds: number, hertz: number): Uint8Array {
  const samples = samplesIn(milliseconds);
  const bytes = new DataView(new ArrayBuffer(samples * bytesPerSample));
  for (let index = 0; index < samples; index += 1) {
    const loudness = Math.sin((Math.PI * index) / samples);
    const sample = 12_000 * loudness * Math.sin((2 * Math.PI * hertz * index) / sampleRate);
    bytes.setInt16(index * bytesPerSample, Math.round(sample), true);
  }
  return new Uint8Array(bytes.buffer);
}

/** How many bytes so much time takes. */
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

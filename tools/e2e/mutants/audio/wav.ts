interface WavParts {
  readonly rate: number;
  /** Position of the content of the chunk `fmt `. */
  readonly formatAt: number;
  /** Position of the samples. */
  readonly dataAt: number;
}

/** Reads a wav header by its chunks. */
export function wavParts(wav: Buffer): WavParts {
  let formatAt = 0;
  for (let at = 12; at + 8 <= wav.length; at += 8 + wav.readUInt32LE(at + 4)) {
    const name = wav.toString('latin1', at, at + 4);
    if (name === 'fmt ') formatAt = at + 8;
    if (name === 'data') return { rate: wav.readUInt32LE(formatAt + 4), formatAt, dataAt: at + 8 };
  }
  throw new Error('this is no wav');
}

/** A wav with another header. */
export const wavHeader =
  (change: (header: Buffer, parts: WavParts, wav: Buffer) => void) =>
  (wav: Buffer): Buffer => {
    const parts = wavParts(wav);
    const header = Buffer.from(wav.subarray(0, parts.dataAt));
    change(header, parts, wav);
    return Buffer.concat([header, wav.subarray(parts.dataAt)]);
  };

/** A wav with other samples of the same size. */
export const wavSamples =
  (change: (samples: Buffer) => Buffer) =>
  (wav: Buffer): Buffer => {
    const { dataAt } = wavParts(wav);
    return Buffer.concat([wav.subarray(0, dataAt), change(wav.subarray(dataAt))]);
  };

/** The header of another rate over the same samples. */
export const rateLabel = (rateOf: (rate: number) => number) =>
  wavHeader((header, { formatAt, rate }) => {
    header.writeUInt32LE(rateOf(rate), formatAt + 4);
    header.writeUInt32LE(rateOf(rate) * 2, formatAt + 8);
  });

/** The header of other channels and sizes over the same samples. */
export const shapeLabel = (channels: number, bits: number) =>
  wavHeader((header, { formatAt, rate }) => {
    const frame = (channels * bits) / 8;
    header.writeUInt16LE(channels, formatAt + 2);
    header.writeUInt32LE(rate * frame, formatAt + 8);
    header.writeUInt16LE(frame, formatAt + 12);
    header.writeUInt16LE(bits, formatAt + 14);
  });

/** What a wav header says, and where. */
export interface WavParts {
  readonly channels: number;
  readonly rate: number;
  readonly bits: number;
  /** Where the chunk `fmt ` has its content. */
  readonly formatAt: number;
  /** Where the samples begin. */
  readonly dataAt: number;
}

/** Reads a wav header by its chunks. */
export function wavParts(wav: Buffer): WavParts {
  let at = 12;
  let formatAt = 0;
  while (at + 8 <= wav.length) {
    const name = wav.toString('latin1', at, at + 4);
    if (name === 'fmt ') formatAt = at + 8;
    if (name === 'data') {
      return {
        channels: wav.readUInt16LE(formatAt + 2),
        rate: wav.readUInt32LE(formatAt + 4),
        bits: wav.readUInt16LE(formatAt + 14),
        formatAt,
        dataAt: at + 8,
      };
    }
    at += 8 + wav.readUInt32LE(at + 4);
  }
  throw new Error('this is no wav');
}

/** Silence of the same length. */
export function silentWav(wav: Buffer): Buffer {
  const changed = Buffer.from(wav);
  changed.fill(0, wavParts(wav).dataAt);
  return changed;
}

/** Each sample twice, as two channels. */
export function stereoWav(wav: Buffer): Buffer {
  const { formatAt, dataAt, rate } = wavParts(wav);
  const head = Buffer.from(wav.subarray(0, dataAt));
  head.writeUInt16LE(2, formatAt + 2);
  head.writeUInt32LE(rate * 4, formatAt + 8);
  head.writeUInt16LE(4, formatAt + 12);
  return Buffer.concat([head, doubled(wav.subarray(dataAt))]);
}

/** 8-bit samples in place of 16-bit ones. */
export function eightBitWav(wav: Buffer): Buffer {
  const { formatAt, dataAt, rate } = wavParts(wav);
  const head = Buffer.from(wav.subarray(0, dataAt));
  head.writeUInt32LE(rate, formatAt + 8);
  head.writeUInt16LE(1, formatAt + 12);
  head.writeUInt16LE(8, formatAt + 14);
  const samples = wav.subarray(dataAt);
  const narrow = Buffer.alloc(samples.length >> 1);
  for (let at = 0; at + 1 < samples.length; at += 2) narrow[at >> 1] = (samples.readInt16LE(at) >> 8) + 128;
  return Buffer.concat([head, narrow]);
}

/** The header of another rate over the same samples. */
export function relabelledWav(wav: Buffer, rate: number): Buffer {
  const { formatAt } = wavParts(wav);
  const changed = Buffer.from(wav);
  changed.writeUInt32LE(rate, formatAt + 4);
  changed.writeUInt32LE(rate * 2, formatAt + 8);
  return changed;
}

function doubled(samples: Buffer): Buffer {
  const twice = Buffer.alloc(samples.length * 2);
  for (let at = 0; at + 1 < samples.length; at += 2) {
    samples.copy(twice, at * 2, at, at + 2);
    samples.copy(twice, at * 2 + 2, at, at + 2);
  }
  return twice;
}

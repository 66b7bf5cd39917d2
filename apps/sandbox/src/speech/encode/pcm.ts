import type { AudioEncoder } from './encoder.ts';

const fullScale = 32767;

/** 16-bit little-endian samples without a header. */
export function createPcmEncoder(): AudioEncoder {
  return {
    leadingSeconds: 0,
    encode: toLittleEndian16,
    finish: () => new Uint8Array(0),
    free() {},
  };
}

export function toLittleEndian16(samples: Float32Array): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, index) => {
    view.setInt16(index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * fullScale), true);
  });
  return bytes;
}

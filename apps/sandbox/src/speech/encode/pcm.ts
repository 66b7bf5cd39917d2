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
  for (let index = 0; index < samples.length; index += 1) {
    const sample = Math.max(-1, Math.min(1, samples[index] ?? 0));
    view.setInt16(index * 2, Math.round(sample * fullScale), true);
  }
  return bytes;
}

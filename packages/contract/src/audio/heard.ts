import { createHash } from 'node:crypto';

/** Listens to samples as they are decoded. */
export class Heard {
  readonly #hash = createHash('sha256');
  peak = 0;
  samples = 0;

  /** @param block of one channel, -1 to 1 */
  add(block: Float32Array): void {
    for (const sample of block) {
      const loudness = Math.abs(sample);
      if (loudness > this.peak) this.peak = loudness;
    }
    this.samples += block.length;
    this.#hash.update(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
  }

  /** @param bytes little-endian samples of 16 bits; half a sample at the end is left out */
  addPcm(bytes: Uint8Array, channels: number): void {
    const count = Math.floor(bytes.length / 2);
    const view = new DataView(bytes.buffer, bytes.byteOffset, count * 2);
    for (let index = 0; index < count; index += 1) {
      const loudness = Math.abs(view.getInt16(index * 2, true)) / 32_768;
      if (loudness > this.peak) this.peak = loudness;
    }
    this.samples += Math.floor(count / channels);
    this.#hash.update(bytes.subarray(0, count * 2));
  }

  get fingerprint(): string {
    return this.#hash.digest('hex');
  }
}

/** Brings mono samples from one rate to another, piece by piece without a seam. */
export class Resampler {
  readonly #step: number;
  /** The last samples of the piece before: a curve needs one before and two after each place. */
  #kept = new Float32Array(1);
  /** Place of the next output, counted from the second of the kept samples. */
  #place = 0;

  constructor(from: number, to: number) {
    this.#step = from / to;
  }

  push(samples: Float32Array): Float32Array<ArrayBuffer> {
    if (this.#step === 1) return new Float32Array(samples);
    const input = new Float32Array(this.#kept.length + samples.length);
    input.set(this.#kept);
    input.set(samples, this.#kept.length);
    // The first sample is only ever a neighbour, as are the last two.
    const usable = input.length - 3;
    const count = Math.max(0, Math.ceil((usable - this.#place) / this.#step));
    const output = new Float32Array(count);
    for (let index = 0; index < count; index++) output[index] = at(input, this.#place + index * this.#step);
    this.#place += count * this.#step;
    const whole = Math.min(Math.floor(this.#place), Math.max(usable, 0));
    this.#kept = input.slice(whole);
    this.#place -= whole;
    return output;
  }

  /** Returns the samples that are still held back. */
  end(): Float32Array<ArrayBuffer> {
    return this.#step === 1 ? new Float32Array(0) : this.push(new Float32Array(2));
  }
}

/** A cubic curve through four neighbours (Catmull-Rom). */
function at(input: Float32Array, place: number): number {
  const index = Math.floor(place);
  const t = place - index;
  const [a = 0, b = 0, c = 0, d = 0] = [input[index], input[index + 1], input[index + 2], input[index + 3]];
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

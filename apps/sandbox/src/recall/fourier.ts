/** Power spectra of real signals, two at the price of one. */
export class PowerSpectra {
  readonly #size: number;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;
  readonly #reversed: Uint32Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;

  /** @param size samples of a signal, a power of two */
  constructor(size: number) {
    this.#size = size;
    this.#cosines = Float64Array.from({ length: size / 2 }, (_, index) =>
      Math.cos((2 * Math.PI * index) / size),
    );
    this.#sines = Float64Array.from(
      { length: size / 2 },
      (_, index) => -Math.sin((2 * Math.PI * index) / size),
    );
    const bits = Math.log2(size);
    this.#reversed = Uint32Array.from({ length: size }, (_, index) => {
      let reversed = 0;
      for (let bit = 0; bit < bits; bit += 1) reversed |= ((index >> bit) & 1) << (bits - 1 - bit);
      return reversed;
    });
    this.#real = new Float64Array(size);
    this.#imaginary = new Float64Array(size);
  }

  /**
   * Both signals are transformed as one complex signal, and told apart by symmetry.
   *
   * @param firstPower filled up to its length, which is at most half the size
   */
  transform(
    first: Float64Array,
    second: Float64Array,
    firstPower: Float64Array,
    secondPower: Float64Array,
  ): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let index = 0; index < this.#size; index += 1) {
      const from = this.#reversed[index] ?? 0;
      real[index] = first[from] ?? 0;
      imaginary[index] = second[from] ?? 0;
    }
    this.#butterflies();
    for (let bin = 0; bin < firstPower.length; bin += 1) {
      const mirror = (this.#size - bin) % this.#size;
      const a = real[bin] ?? 0;
      const b = imaginary[bin] ?? 0;
      const c = real[mirror] ?? 0;
      const d = imaginary[mirror] ?? 0;
      firstPower[bin] = ((a + c) ** 2 + (b - d) ** 2) / 4;
      secondPower[bin] = ((b + d) ** 2 + (c - a) ** 2) / 4;
    }
  }

  #butterflies(): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let half = 1; half < this.#size; half *= 2) {
      const step = this.#size / (2 * half);
      for (let start = 0; start < this.#size; start += 2 * half) {
        for (let index = 0; index < half; index += 1) {
          const cosine = this.#cosines[index * step] ?? 0;
          const sine = this.#sines[index * step] ?? 0;
          const upper = start + index;
          const lower = upper + half;
          const x = real[lower] ?? 0;
          const y = imaginary[lower] ?? 0;
          const turnedReal = x * cosine - y * sine;
          const turnedImaginary = x * sine + y * cosine;
          const upperReal = real[upper] ?? 0;
          const upperImaginary = imaginary[upper] ?? 0;
          real[lower] = upperReal - turnedReal;
          imaginary[lower] = upperImaginary - turnedImaginary;
          real[upper] = upperReal + turnedReal;
          imaginary[upper] = upperImaginary + turnedImaginary;
        }
      }
    }
  }
}

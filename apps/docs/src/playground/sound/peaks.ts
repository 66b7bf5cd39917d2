import type { DecodedSamples } from '@speech-api/audio/play';

/** Seconds that one peak stands for: finer than a pixel of any clip worth looking at. */
export const secondsAPeak = 0.01;

/** How loud audio is along its time: the loudest sample of each hundredth of a second, gathered as it is decoded. */
export class Peaks {
  readonly #peaks: number[] = [];
  #open = 0;
  /** Seconds that {@link #open} stands for. */
  #held = 0;

  add({ channels, sampleRate }: DecodedSamples): void {
    const [samples] = channels;
    if (samples === undefined) return;
    for (const sample of samples) {
      this.#open = Math.max(this.#open, Math.abs(sample));
      this.#held += 1 / sampleRate;
      if (this.#held < secondsAPeak) continue;
      this.#peaks.push(this.#open);
      this.#open = 0;
      // What is over belongs to the next one, or rates that do not divide would drift.
      this.#held -= secondsAPeak;
    }
  }

  get seconds(): number {
    return this.#peaks.length * secondsAPeak + this.#held;
  }

  /** The loudest of each of `count` equal parts of `total` seconds; 0 where nothing is. */
  columns(count: number, total: number): number[] {
    const peaksAColumn = total / secondsAPeak / count;
    return Array.from({ length: count }, (_, column) => {
      const from = Math.floor(column * peaksAColumn);
      const to = Math.max(from + 1, Math.floor((column + 1) * peaksAColumn));
      let loudest = 0;
      for (let index = from; index < to; index += 1) loudest = Math.max(loudest, this.#peaks[index] ?? 0);
      return loudest;
    });
  }
}

import { type Listener, listeningRate } from '../listening.ts';

/** Samples of one level. */
const hop = 128;
/** Seconds from one level to the next: 16 ms. */
export const levelSeconds = hop / listeningRate;
/** What stands for no sound at all, in dB of full scale. */
export const quietest = -100;

/** The loudness of a recording every 16 ms, in dB of full scale. */
export class Levels implements Listener {
  readonly #levels: number[] = [];
  #power = 0;
  #filled = 0;

  get all(): readonly number[] {
    return this.#levels;
  }

  push(samples: Float32Array): void {
    for (const sample of samples) {
      this.#power += sample * sample;
      this.#filled += 1;
      if (this.#filled < hop) continue;
      this.#levels.push(
        this.#power === 0 ? quietest : Math.max(quietest, 10 * Math.log10(this.#power / hop)),
      );
      this.#power = 0;
      this.#filled = 0;
    }
  }
}

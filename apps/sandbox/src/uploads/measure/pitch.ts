import { type Listener, listeningRate } from '../listening.ts';

/** Hz. Voices lie between. */
const lowest = 60;
const highest = 400;
const shortestLag = Math.floor(listeningRate / highest);
const longestLag = Math.ceil(listeningRate / lowest);
/** Samples compared with those a lag later: 40 ms. */
const windowLength = 320;
const hop = 160;
/** Power below which a window is a pause. */
const silence = 10 ** (-45 / 10);
/** How alike two periods of a voiced sound are at least, 1 being the same. */
const leastLikeness = 0.6;
/** A lag of twice the period fits as well: the shortest one that is nearly the best is it. */
const nearlyBest = 0.92;
/** Windows that are measured: enough for any voice, and an hour costs no more than two minutes. */
const mostWindows = 6000;
const leastWindows = 5;

/** The median pitch of a voice, by autocorrelation. */
export class Pitch implements Listener {
  readonly #lags: number[] = [];
  readonly #samples = new Float32Array(windowLength + longestLag + 1);
  #filled = 0;
  #windows = 0;

  /** Hz; `undefined` where there is no voiced sound. */
  get median(): number | undefined {
    if (this.#lags.length < leastWindows) return undefined;
    const sorted = [...this.#lags].sort((one, other) => one - other);
    return listeningRate / (sorted[Math.floor(sorted.length / 2)] ?? longestLag);
  }

  push(samples: Float32Array): void {
    for (let offset = 0; offset < samples.length && this.#windows < mostWindows; ) {
      const part = samples.subarray(offset, offset + this.#samples.length - this.#filled);
      this.#samples.set(part, this.#filled);
      this.#filled += part.length;
      offset += part.length;
      if (this.#filled < this.#samples.length) return;
      this.#measure();
      this.#samples.copyWithin(0, hop);
      this.#filled -= hop;
    }
  }

  #measure(): void {
    if (this.#product(0) / windowLength < silence) return;
    this.#windows += 1;
    const likeness = Array.from({ length: longestLag + 1 }, (_, lag) =>
      lag < shortestLag ? 0 : this.#likeness(lag),
    );
    const best = Math.max(...likeness);
    if (best < leastLikeness) return;
    for (let lag = shortestLag; lag < longestLag; lag += 1) {
      const [before, here, after] = [likeness[lag - 1] ?? 0, likeness[lag] ?? 0, likeness[lag + 1] ?? 0];
      if (here < nearlyBest * best || here < before || here < after) continue;
      // Between two samples: the top of the parabola through three of them.
      const bend = before - 2 * here + after;
      this.#lags.push(lag + (bend === 0 || lag === shortestLag ? 0 : (before - after) / (2 * bend)));
      return;
    }
  }

  #likeness(lag: number): number {
    const power = Math.sqrt(this.#product(0) * this.#power(lag));
    return power === 0 ? 0 : this.#product(lag) / power;
  }

  #product(lag: number): number {
    let sum = 0;
    for (let index = 0; index < windowLength; index += 1) {
      sum += (this.#samples[index] ?? 0) * (this.#samples[index + lag] ?? 0);
    }
    return sum;
  }

  #power(lag: number): number {
    let sum = 0;
    for (let index = lag; index < windowLength + lag; index += 1) sum += (this.#samples[index] ?? 0) ** 2;
    return sum;
  }
}

/** Seconds that one peak covers: less than a pixel of any clip worth looking at. */
export const secondsAPeak = 0.01;

/** Loudness of audio over time: the peak of each hundredth of a second, collected during decoding. */
export class Peaks {
  readonly #peaks: number[] = [];
  #open = 0;
  /** Seconds that {@link #open} covers. */
  #held = 0;

  add(samples: Float32Array, sampleRate: number): void {
    for (const sample of samples) {
      this.#open = Math.max(this.#open, Math.abs(sample));
      this.#held += 1 / sampleRate;
      if (this.#held < secondsAPeak) continue;
      this.#peaks.push(this.#open);
      this.#open = 0;
      // The remainder counts towards the next peak; otherwise, rates that do not divide evenly would drift.
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

/** Half of the line that silence is drawn as, and the room kept above the loudest. */
const leastHeight = 0.5;
const margin = 1;

/** A clip that is quieter than this is drawn as quiet; any other one fills its room. */
const quiet = 0.2;

/** The outline of columns from 0 to 1, mirrored at the middle, the loudest to the edge, as the data of an SVG path. */
export function drawWaveform(columns: readonly number[], width: number, height: number): string {
  const middle = height / 2;
  const x = (index: number) => round((index / columns.length) * width);
  const loudest = Math.max(quiet, ...columns);
  const reach = (peak: number) => Math.max(leastHeight, (peak / loudest) * (middle - margin));
  const upper = columns.map((peak, index) => `L${x(index)} ${round(middle - reach(peak))}`);
  const lower = columns.map((peak, index) => `L${x(index)} ${round(middle + reach(peak))}`).reverse();
  const start = `M0 ${round(middle - reach(columns[0] ?? 0))}`;
  return `${start}${upper.join('')}${lower.join('')}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

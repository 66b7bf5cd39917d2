/** Hz. What is listened to has this rate, whatever the file has: speech is all below half of it. */
export const listeningRate = 8000;

/** Somebody who listens to a recording while it is decoded. */
export interface Listener {
  /** @param samples mono, at {@link listeningRate} */
  push(samples: Float32Array): void;
}

/** Samples in one level. */
const hop = 128;
/** Seconds from one level to the next: 16 ms. */
export const levelSeconds = hop / listeningRate;
/** The level of no sound at all, in dB of full scale. */
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

/** A stretch of a recording, in seconds from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Nothing below this is a voice, in dB of full scale. */
const quietestVoice = -50;
/** Nothing above this is a background, however steady. */
const loudestFloor = -25;
/** dB by which a voice is louder than the background. */
const aboveFloor = 9;
/** Seconds of quiet that belong to speech: stops, and the space between words. */
const longestPause = 0.3;
const shortestVoice = 0.15;
/** dB by which the loudness of speech wavers at least, as standard deviation. Tones and noise keep theirs. */
const leastWavering = 2.5;

/**
 * Spans that may be speech: louder than the background, and fluctuating as speech does. Music and footsteps
 * fluctuate too; this only separates sound that may be speech from sound that is not.
 */
export function findVoice(levels: readonly number[]): Span[] {
  const threshold = Math.max(quietestVoice, Math.min(loudestFloor, floorOf(levels)) + aboveFloor);
  const spans: { first: number; end: number }[] = [];
  levels.forEach((level, index) => {
    if (level < threshold) return;
    const last = spans.at(-1);
    if (last && (index - last.end) * levelSeconds <= longestPause) last.end = index + 1;
    else spans.push({ first: index, end: index + 1 });
  });
  return spans
    .filter(({ first, end }) => (end - first) * levelSeconds >= shortestVoice)
    .filter(({ first, end }) => wavering(levels.slice(first, end)) >= leastWavering)
    .map(({ first, end }) => ({ start: first * levelSeconds, end: end * levelSeconds }));
}

/** The level that a tenth of the recording stays below. */
function floorOf(levels: readonly number[]): number {
  const sorted = Float64Array.from(levels).sort();
  return sorted[Math.floor(sorted.length / 10)] ?? 0;
}

/** The ends are left out: any sound rises from silence and falls back to it. */
function wavering(levels: readonly number[]): number {
  const inner = levels.length > 12 ? levels.slice(3, -3) : levels;
  const mean = inner.reduce((sum, level) => sum + level, 0) / inner.length;
  return Math.sqrt(inner.reduce((sum, level) => sum + (level - mean) ** 2, 0) / inner.length);
}

/** Levels averaged on each side: syllables are slower than the pulses of a deep voice. */
const reach = 2;
/** dB by which the level falls between two syllables. */
const leastFall = 2;
/** Seconds of speech below which no rate is reported. */
const leastSeconds = 0.5;

/** Loudness of the voice in its spans, in dB of full scale; `undefined` without a voice. */
export function voiceLevel(levels: readonly number[], voice: readonly Span[]): number | undefined {
  let power = 0;
  let count = 0;
  for (const level of levelsOf(levels, voice)) {
    power += level <= quietest ? 0 : 10 ** (level / 10);
    count += 1;
  }
  return count === 0 ? undefined : 10 * Math.log10(power / count);
}

/** Syllables a second of speech, estimated by counting the rises of loudness. Good to a fifth or so. */
export function syllableRate(levels: readonly number[], voice: readonly Span[]): number | undefined {
  const seconds = voice.reduce((sum, { start, end }) => sum + end - start, 0);
  if (seconds < leastSeconds) return undefined;
  const peaks = voice.reduce((sum, span) => sum + countPeaks(levelsOf(levels, [span])), 0);
  return peaks / seconds;
}

function countPeaks(levels: readonly number[]): number {
  let peaks = 0;
  let high = Number.NEGATIVE_INFINITY;
  let low = Number.POSITIVE_INFINITY;
  let rising = true;
  for (const level of smooth(levels)) {
    if (rising) {
      high = Math.max(high, level);
      if (level > high - leastFall) continue;
      peaks += 1;
      rising = false;
      low = level;
    } else {
      low = Math.min(low, level);
      if (level < low + leastFall) continue;
      rising = true;
      high = level;
    }
  }
  return rising && levels.length > 0 ? peaks + 1 : peaks;
}

function smooth(levels: readonly number[]): number[] {
  return levels.map((_, index) => {
    const near = levels.slice(Math.max(0, index - reach), index + reach + 1);
    return near.reduce((sum, level) => sum + level, 0) / near.length;
  });
}

function levelsOf(levels: readonly number[], spans: readonly Span[]): number[] {
  return spans.flatMap(({ start, end }) =>
    levels.slice(Math.round(start / levelSeconds), Math.round(end / levelSeconds)),
  );
}

/** Hz. Voices lie between. */
const lowest = 60;
const highest = 400;
const shortestLag = Math.floor(listeningRate / highest);
const longestLag = Math.ceil(listeningRate / lowest);
/** Samples compared with those a lag later: 40 ms. */
const windowLength = 320;
const pitchHop = 160;
/** Power below which a window is a pause. */
const silence = 10 ** (-45 / 10);
/** Minimum similarity of two periods of a voiced sound; 1 is identical. */
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
      this.#samples.copyWithin(0, pitchHop);
      this.#filled -= pitchHop;
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

import { levelSeconds, quietest } from './levels.ts';
import type { Span } from './voice-activity.ts';

/** Levels averaged on each side: syllables are slower than the pulses of a deep voice. */
const reach = 2;
/** dB by which the level falls between two syllables. */
const leastFall = 2;
/** Seconds of speech below which no rate is told. */
const leastSeconds = 0.5;

/** How loud the voice is where there is one, in dB of full scale. */
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

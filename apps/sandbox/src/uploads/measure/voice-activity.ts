import { levelSeconds } from './levels.ts';

/** A stretch of a recording, in seconds from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Nothing below this is a voice, in dB of full scale. */
const quietestVoice = -50;
/** Nothing above this is a background, however steady. */
const loudestFloor = -25;
/** dB by which a voice stands out of the background. */
const aboveFloor = 9;
/** Seconds of quiet that belong to speech: stops, and the space between words. */
const longestPause = 0.3;
const shortestVoice = 0.15;
/** dB by which the loudness of speech wavers at least, as standard deviation. Tones and noise keep theirs. */
const leastWavering = 2.5;

/**
 * Where somebody seems to speak: louder than the background, and wavering as speech does. Music and footsteps waver too;
 * this tells sound that may be speech from sound that is not, no more.
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

import { lowerRate, type Recording } from './lower-rate.ts';

const hopSeconds = 0.01;
/** Levels averaged on each side: a syllable is slower than the pulses of a deep voice. */
const reach = 3;
/** dB below the loud parts at which speech ends. */
const speechDepth = 30;
/** dB by which the level falls between two syllables. */
const leastFall = 2;
/** Seconds of quiet that belong to speech: stops, and the space between words. */
const longestPause = 0.15;
/** Seconds of speech below which no rate is told. */
const leastSeconds = 0.8;
const quietest = -90;
const audible = -60;

/**
 * Syllables a second of speech, pauses left out, by counting the rises of loudness; `undefined` where too little was
 * heard. It tells fast from slow; it is no count of syllables.
 */
export function syllableRate(recording: Recording): number | undefined {
  const levels = smooth(levelsOf(lowerRate(recording)));
  const sorted = [...levels].sort((left, right) => left - right);
  const loud = sorted[Math.floor(sorted.length * 0.9)] ?? quietest;
  if (loud < audible) return undefined;
  const spans = speech(levels, loud - speechDepth);
  const seconds = spans.reduce((sum, span) => sum + span.length * hopSeconds, 0);
  if (seconds < leastSeconds) return undefined;
  return spans.reduce((sum, span) => sum + countPeaks(span), 0) / seconds;
}

function levelsOf({ samples, sampleRate }: Recording): number[] {
  const hop = Math.round(hopSeconds * sampleRate);
  return Array.from({ length: Math.floor(samples.length / hop) }, (_, index) => {
    let power = 0;
    for (let place = index * hop; place < (index + 1) * hop; place += 1) power += (samples[place] ?? 0) ** 2;
    return power === 0 ? quietest : Math.max(quietest, 10 * Math.log10(power / hop));
  });
}

function smooth(levels: readonly number[]): number[] {
  return levels.map((_, index) => {
    const near = levels.slice(Math.max(0, index - reach), index + reach + 1);
    return near.reduce((sum, level) => sum + level, 0) / near.length;
  });
}

/** The levels of every stretch of speech. */
function speech(levels: readonly number[], threshold: number): number[][] {
  const spans: { first: number; end: number }[] = [];
  levels.forEach((level, index) => {
    if (level < threshold) return;
    const last = spans.at(-1);
    if (last !== undefined && (index - last.end) * hopSeconds <= longestPause) last.end = index + 1;
    else spans.push({ first: index, end: index + 1 });
  });
  return spans.map(({ first, end }) => levels.slice(first, end));
}

function countPeaks(levels: readonly number[]): number {
  let peaks = 0;
  let turn = Number.NEGATIVE_INFINITY;
  let rising = true;
  for (const level of levels) {
    turn = rising ? Math.max(turn, level) : Math.min(turn, level);
    if (rising ? level > turn - leastFall : level < turn + leastFall) continue;
    if (rising) peaks += 1;
    rising = !rising;
    turn = level;
  }
  return rising && levels.length > 0 ? peaks + 1 : peaks;
}

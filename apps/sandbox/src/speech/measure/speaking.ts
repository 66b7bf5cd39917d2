import { lowerRate, type Recording } from './lower-rate.ts';

const hopSeconds = 0.01;
/** Hops on each side that are heard as one: the pulses of a deep voice are no syllables. */
const reach = 1;
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

/** How somebody speaks in a recording. */
export interface Speaking {
  /** Seconds of speech, pauses left out. */
  readonly seconds: number;
  /** Syllables a second of it, by counting the rises of loudness: it tells fast from slow and is no count of syllables. */
  readonly syllableRate: number;
}

/** How fast somebody speaks; `undefined` where too little was heard. */
export function speakingIn(recording: Recording): Speaking | undefined {
  const levels = levelsOf(lowerRate(recording));
  const sorted = [...levels].sort((left, right) => left - right);
  const loud = sorted[Math.floor(sorted.length * 0.9)] ?? quietest;
  if (loud < audible) return undefined;
  const spans = speech(levels, loud - speechDepth);
  const seconds = spans.reduce((sum, span) => sum + span.length * hopSeconds, 0);
  if (seconds < leastSeconds) return undefined;
  return { seconds, syllableRate: spans.reduce((sum, span) => sum + countPeaks(span), 0) / seconds };
}

/** The level every hop, in dB. */
function levelsOf({ samples, sampleRate }: Recording): number[] {
  const hop = Math.round(hopSeconds * sampleRate);
  const powers = Array.from({ length: Math.floor(samples.length / hop) }, (_, index) => {
    let power = 0;
    for (let place = index * hop; place < (index + 1) * hop; place += 1) power += (samples[place] ?? 0) ** 2;
    return power / hop;
  });
  return smooth(smooth(powers).map((power) => Math.max(quietest, 10 * Math.log10(power))));
}

function smooth(values: readonly number[]): number[] {
  return values.map((_, index) => {
    const near = values.slice(Math.max(0, index - reach), index + reach + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
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

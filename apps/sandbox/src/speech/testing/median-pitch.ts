import { samplesOf } from './speak.ts';

/** Hz. Voices lie between. */
const lowest = 45;
const highest = 500;
const windowSeconds = 0.04;
/** Windows looked at, spread over the recording: enough for a median, and a long one costs no more than a short one. */
const mostWindows = 120;
const leastWindows = 4;
/** Share of the loudest window's power below which a window is a pause or a whisper. */
const quiet = 0.03;
/** Power below which a window holds nothing, in the quietest recording too. */
const silence = 1e-7;
/** How alike two periods of a voiced sound are at least, 1 being the same. */
const leastLikeness = 0.65;
/** Twice the period fits as well: the shortest one that is nearly the best is it. */
const nearlyBest = 0.9;

/** The median pitch of a voice in Hz, by autocorrelation; `undefined` where there is no voiced sound. */
export function medianPitch(recording: Recording): number | undefined {
  const { samples, sampleRate } = lowerRate(recording);
  const length = Math.round(windowSeconds * sampleRate);
  const longest = Math.ceil(sampleRate / lowest);
  const room = samples.length - length - longest - 1;
  if (room < 0) return undefined;
  const hop = Math.max(Math.round(length / 2), Math.ceil(room / mostWindows));
  const starts = Array.from({ length: Math.floor(room / hop) + 1 }, (_, index) => index * hop);
  const powers = starts.map((start) => product(samples, start, start, length) / length);
  const threshold = Math.max(silence, quiet * Math.max(...powers));
  const pitches = starts
    .filter((_, index) => (powers[index] ?? 0) >= threshold)
    .flatMap((start) => periodAt(samples, start, length, sampleRate) ?? [])
    .map((period) => sampleRate / period)
    .sort((left, right) => left - right);
  return pitches.length < leastWindows ? undefined : pitches[Math.floor(pitches.length / 2)];
}

/** In samples; `undefined` where the sound does not repeat itself. */
function periodAt(
  samples: Float32Array,
  start: number,
  length: number,
  sampleRate: number,
): number | undefined {
  const shortest = Math.floor(sampleRate / highest);
  const longest = Math.ceil(sampleRate / lowest);
  const power = product(samples, start, start, length);
  const likeness: number[] = [];
  let laterPower = product(samples, start + shortest - 1, start + shortest - 1, length);
  for (let lag = shortest - 1; lag <= longest + 1; lag += 1) {
    const later = start + lag;
    const size = Math.sqrt(Math.max(0, power * laterPower));
    likeness[lag] = size === 0 ? 0 : product(samples, start, later, length) / size;
    laterPower += (samples[later + length] ?? 0) ** 2 - (samples[later] ?? 0) ** 2;
  }
  const best = likeness.reduce((most, value) => Math.max(most, value), 0);
  if (best < leastLikeness) return undefined;
  for (let lag = shortest; lag <= longest; lag += 1) {
    const [before = 0, here = 0, after = 0] = likeness.slice(lag - 1, lag + 2);
    if (here < nearlyBest * best || here < before || here < after) continue;
    // The top lies between the samples: where the parabola through three of them has its own.
    const bend = before - 2 * here + after;
    return bend === 0 ? lag : lag + (before - after) / (2 * bend);
  }
  return undefined;
}

function product(samples: Float32Array, first: number, second: number, length: number): number {
  let sum = 0;
  for (let index = 0; index < length; index += 1) {
    sum += (samples[first + index] ?? 0) * (samples[second + index] ?? 0);
  }
  return sum;
}

/** Hz. What tells voices apart by ear lies below half of it; less to compare is less to wait for. */
const wantedRate = 8000;

/** Samples at a rate of their own. */
export interface Recording {
  /** Mono, -1 to 1. */
  readonly samples: Float32Array;
  /** Hz. */
  readonly sampleRate: number;
}

/** Brings a recording near 8 kHz by averaging neighbours: rough, and enough for pitch and loudness. */
export function lowerRate({ samples, sampleRate }: Recording): Recording {
  const width = Math.floor(sampleRate / wantedRate);
  if (width <= 1) return { samples, sampleRate };
  const lowered = new Float32Array(Math.floor(samples.length / width));
  for (let index = 0; index < lowered.length; index += 1) {
    let sum = 0;
    for (let place = index * width; place < (index + 1) * width; place += 1) sum += samples[place] ?? 0;
    lowered[index] = sum / width;
  }
  return { samples: lowered, sampleRate: sampleRate / width };
}

/** PCM as it is measured. */
export function recordingOf(pcm: Uint8Array, sampleRate: number): Recording {
  return { samples: Float32Array.from(samplesOf(pcm), (sample) => sample / 32768), sampleRate };
}

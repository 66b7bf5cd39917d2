import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { expressions } from '@speech-api/types';
import type { SpeechJob, VoiceProfile } from './job.ts';

/** Seconds of silence at speed 1 for each tag. Other tags are not audible: the engine has no emotions. */
const pauses: Readonly<Record<string, number>> = {
  'short pause': 0.3,
  pause: 0.6,
  break: 0.6,
  'long pause': 1.2,
  'long-break': 1.2,
};

/** The tags of the specification. The list is closed, so that a remark in parentheses is still read out. */
const knownTags: ReadonlySet<string> = new Set(expressions.flatMap(({ tags }) => tags));

/** Seconds of silence for a tag, 0 for most; `undefined` if the words are not a tag. */
export function pauseOfTag(tag: string): number | undefined {
  const name = tag.trim().toLowerCase();
  return knownTags.has(name) ? (pauses[name] ?? 0) : undefined;
}

/** The kind of ending of a stretch of text, which sets the silence after it. */
export type Ending = 'sentence' | 'clause' | 'word';

/** Seconds at speed 1; the engine puts none after an utterance. */
const seconds: Record<Ending, number> = { sentence: 0.32, clause: 0.16, word: 0.05 };
const secondsBetweenSpeakers = 0.3;

/** Seconds of silence after a chunk. Faster speech pauses less. */
export function pauseAfterChunk(ending: Ending, speed: number): number {
  return seconds[ending] / speed;
}

/** Seconds of silence between two utterances of one chunk: only the pause of the first one's closing mark. */
export function pauseBetween(text: string, speakerChanges: boolean, speed: number): number {
  const mark = /([^\s"'”’»)\]）】》」』])["'”’»)\]）】》」』\s]*$/u.exec(text)?.[1] ?? '';
  const pause = /[.!?…。！？]/u.test(mark)
    ? seconds.sentence
    : /[,;:，；：、—]/u.test(mark)
      ? seconds.clause
      : 0;
  return Math.max(pause, speakerChanges ? secondsBetweenSpeakers : 0) / speed;
}

/**
 * Audio tokens in a second of speech at speed 1. The interface does not say how much one is
 * (`audio-tokens-a-second` in the register of unknowns): few enough that the default of `max_new_tokens` cuts no
 * chunk of ordinary text.
 */
const tokensASecond = 8;

/** Seconds of audio a chunk has at most; slower speech stretches its tokens. */
export function mostSeconds(maxNewTokens: number, speed: number): number {
  return Math.max(0, maxNewTokens) / tokensASecond / speed;
}

const measuredRates = [80, 90, 100, 120, 140, 160, 175, 190, 220, 260, 300, 340, 380, 420, 450];
/**
 * Actual speed of the engine at these rates, relative to 175 words per minute, measured on running text. It is not
 * linear, and differs between languages.
 */
const measuredSpeeds = {
  other: [0.485, 0.515, 0.572, 0.685, 0.802, 0.912, 1, 1.081, 1.26, 1.482, 1.715, 1.981, 2.216, 2.444, 2.619],
  cmn: [0.453, 0.485, 0.541, 0.654, 0.778, 0.902, 1, 1.098, 1.298, 1.603, 1.918, 2.156, 2.434, 2.779, 3.082],
};

/**
 * The engine rate at which a voice is `speed` times as fast as at its own rate.
 *
 * @param ownRate words a minute of the voice at speed 1
 * @param speed 0.5 to 2
 */
export function engineRate(ownRate: number, speed: number, language: string): number {
  const speeds = measuredSpeeds[language === 'cmn' ? 'cmn' : 'other'];
  const ownSpeed = interpolate(measuredRates, speeds, ownRate);
  const rate = interpolate(speeds, measuredRates, ownSpeed * speed);
  return Math.round(rate);
}

/** The place of a value among rising numbers, carried over to other numbers; beyond the ends the outermost one holds. */
function interpolate(from: readonly number[], to: readonly number[], value: number): number {
  const index = from.findIndex((number) => value <= number);
  if (index <= 0) return to.at(index) ?? value;
  const [low = 0, high = 0] = from.slice(index - 1);
  const [first = 0, second = 0] = to.slice(index - 1);
  return first + ((value - low) / (high - low)) * (second - first);
}

/** Deviation of a voice from its profile in one chunk. */
export interface Variation {
  /** Pitch to add. */
  readonly pitch: number;
  /** Engine pitch range, 0 to 99: 50 is as written in the voice. */
  readonly range: number;
  /** Factor of the rate. */
  readonly rate: number;
}

const mostPitchSteps = 8;
const mostRangeSteps = 12;
const mostRateShare = 0.08;

/**
 * A little liveliness, more of it at a higher temperature and none at 0. It is drawn from the request itself:
 * the same request varies in the same way.
 */
export function variationOf(job: SpeechJob, voice: VoiceProfile, text: string): Variation {
  const drawn = JSON.stringify([voice.seed, job.model, job.temperature, job.top_p, text]);
  const digest = new DataView(sha256(utf8ToBytes(drawn)).buffer);
  // top_p narrows what may be drawn.
  const spread = job.temperature * job.top_p;
  return {
    pitch: Math.round(signed(digest.getUint32(0)) * mostPitchSteps * spread),
    range: Math.round(
      50 + (job.temperature - 0.7) * 30 + signed(digest.getUint32(4)) * mostRangeSteps * spread,
    ),
    rate: 1 + signed(digest.getUint32(8)) * mostRateShare * spread,
  };
}

/** -1 to 1. */
function signed(value: number): number {
  return (value / 0xffffffff) * 2 - 1;
}

/** Voices with a character of their own; all others get one from their id. */
const knownVoices: Readonly<Record<string, Omit<VoiceProfile, 'id' | 'seed'>>> = {
  'sandbox-alba': { accent: 'en-us', variant: 'steph', pitch: 45, rate: 168 },
  'sandbox-blake': { accent: 'en-us', variant: 'm3', pitch: 42, rate: 172 },
  'sandbox-cleo': { accent: 'en-gb-x-rp', variant: 'Annie', pitch: 52, rate: 176 },
  'sandbox-mei': { accent: 'en-us', variant: 'linda', pitch: 48, rate: 165 },
};

const accents = ['en-us', 'en-gb-x-rp', 'en-gb-scotland', 'en-us-nyc'] as const;
/** Variants without an echo, which would sound on between words. */
const variants = 'f1 linda belinda steph Annie m1 m3 m4 m5 m6 m7 Mike adam'.split(' ');
const slowestRate = 160;
const rateSteps = 25;
const lowestPitch = 35;
const pitchSteps = 31;

/** The profile of a voice: the same id always has the same profile. */
export function profileForVoice(voiceId: string): VoiceProfile {
  const voice = knownVoices[voiceId];
  if (voice !== undefined) return { id: voiceId, seed: voiceId, ...voice };
  const digest = new DataView(sha256(utf8ToBytes(voiceId)).buffer);
  return {
    id: voiceId,
    seed: voiceId,
    accent: accents[digest.getUint16(0) % accents.length] ?? accents[0],
    variant: variants[digest.getUint16(2) % variants.length] ?? 'm3',
    pitch: lowestPitch + (digest.getUint16(4) % pitchSteps),
    rate: slowestRate + (digest.getUint16(6) % rateSteps),
  };
}

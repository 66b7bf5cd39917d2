import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { VoiceProfile } from './job.ts';
import { interpolate, pairs } from './prosody.ts';

/** Voices with a character of their own; all others get one from their id. */
const knownVoices: Readonly<Record<string, Omit<VoiceProfile, 'id' | 'seed'>>> = {
  'sandbox-alba': { language: 'en-us', variant: 'steph', pitch: 45, rate: 168 },
  'sandbox-blake': { language: 'en-us', variant: 'm3', pitch: 42, rate: 172 },
  'sandbox-cleo': { language: 'en-gb-x-rp', variant: 'Annie', pitch: 52, rate: 176 },
  'sandbox-mei': { language: 'cmn', variant: 'linda', pitch: 48, rate: 165 },
};

const accents = ['en-us', 'en-gb-x-rp', 'en-gb-scotland', 'en-us-nyc'] as const;
/** Those without an echo: it would sound on between the words. */
const variants = 'f1 linda belinda steph Annie m1 m3 m4 m5 m6 m7 Mike adam'.split(' ');
const slowestRate = 160;
const rateSteps = 25;
const lowestPitch = 35;
const pitchSteps = 31;

/** The profile of a voice: the same for the same id, and another one for another id. */
export function profileForVoice(voiceId: string): VoiceProfile {
  const known = knownVoices[voiceId];
  if (known !== undefined) return { id: voiceId, seed: voiceId, ...known };
  const digest = new DataView(sha256(utf8ToBytes(voiceId)).buffer);
  return {
    id: voiceId,
    seed: voiceId,
    language: accents[digest.getUint16(0) % accents.length] ?? accents[0],
    variant: variants[digest.getUint16(2) % variants.length] ?? 'm3',
    pitch: lowestPitch + (digest.getUint16(4) % pitchSteps),
    rate: slowestRate + (digest.getUint16(6) % rateSteps),
  };
}

/** Measurements of the voice in a clip. */
export interface HeardVoice {
  /** Hz, the median; none where nothing voiced was heard. */
  readonly pitch?: number | undefined;
  /** Syllables a second, estimated; none where too little was heard. */
  readonly syllableRate?: number | undefined;
  /** Seconds of speech in it, pauses left out. */
  readonly speechSeconds?: number | undefined;
}

/** A clip of a voice: what was heard in it, and what is said in it where that is known. */
export interface VoiceClip extends HeardVoice {
  readonly transcript?: string;
}

const pitchSettings = [0, 25, 50, 75, 99] as const;

/** Median pitch in Hz of the engine's variants at the pitch settings above, measured on running English. */
const measuredPitches: Readonly<Record<string, readonly number[]>> = {
  m1: [69, 81, 98, 122, 159],
  m3: [79, 92, 110, 133, 172],
  m7: [85, 96, 112, 137, 174],
  adam: [74, 86, 102, 129, 169],
  f1: [125, 150, 180, 231, 302],
  steph: [103, 137, 183, 247, 334],
  linda: [144, 178, 230, 307, 409],
  Annie: [221, 242, 273, 310, 359],
};

const rateSettings = [120, 145, 175, 195, 215];

/** The syllables a second that are heard at the engine's rates above, in Chinese and in other languages. */
const measuredSyllables = { cmn: [2.4, 2.95, 3.65, 4, 4.4], other: [3.5, 4.1, 4.8, 5.15, 5.55] };

/**
 * A voice after clips: as high and as fast as the voice in them. What cannot be heard in them, and what makes two
 * voices of one pitch different, comes from the id.
 *
 * @param id the voice model's, or a name that is the same for the same clips
 */
export function profileFromClips(id: string, clips: readonly VoiceClip[]): VoiceProfile {
  const own = profileForVoice(id);
  const pitch = median(clips.flatMap((clip) => pitchOf(clip) ?? []));
  const rate = median(clips.flatMap((clip) => rateOf(clip) ?? []));
  return {
    ...own,
    ...(pitch === undefined ? {} : voiceAtPitch(pitch, own)),
    ...(rate === undefined ? {} : { rate: Math.round(rate) }),
  };
}

/** One of the variants that reach the pitch without strain, and the setting at which it has it. */
function voiceAtPitch(pitch: number, own: VoiceProfile): Pick<VoiceProfile, 'variant' | 'pitch'> {
  const variants = Object.entries(measuredPitches).map(([variant, pitches]) => ({
    variant,
    points: pairs(pitches, pitchSettings),
    strain: Math.abs(Math.log2(pitch / (pitches[2] ?? pitch))),
  }));
  const least = Math.min(...variants.map(({ strain }) => strain));
  const close = variants.filter(({ strain }) => strain <= Math.max(least, mostStrain));
  const chosen = close[(own.pitch + own.rate) % close.length] ?? variants[0];
  if (chosen === undefined) return { pitch: own.pitch };
  return { variant: chosen.variant, pitch: Math.round(interpolate(chosen.points, pitch)) };
}

/** Octaves between a voice and its middle pitch that do not change its character. */
const mostStrain = 0.35;

/** The engine speaks Chinese lower than English at one setting, by about this much. */
const chineseDepth = 1.1;

/** Hz, as if English were spoken. */
function pitchOf(clip: VoiceClip): number | undefined {
  return clip.pitch === undefined ? undefined : clip.pitch * (isChinese(clip) ? chineseDepth : 1);
}

function rateOf(clip: VoiceClip): number | undefined {
  const syllables = syllablesASecond(clip);
  if (syllables === undefined) return undefined;
  return interpolate(pairs(measuredSyllables[isChinese(clip) ? 'cmn' : 'other'], rateSettings), syllables);
}

function isChinese({ transcript = '' }: VoiceClip): boolean {
  return /\p{Script=Han}/u.test(transcript);
}

/** Measured syllable rate, corrected by the transcript if the two can be about the same words. */
function syllablesASecond({ syllableRate, speechSeconds, transcript = '' }: VoiceClip): number | undefined {
  if (syllableRate === undefined || !speechSeconds) return syllableRate;
  const written = countSyllables(transcript) / speechSeconds;
  const isPlausible = written > syllableRate / mostDisagreement && written < syllableRate * mostDisagreement;
  return isPlausible ? Math.sqrt(syllableRate * written) : syllableRate;
}

const mostDisagreement = 1.5;

/** A Chinese character counts as one syllable, and so does each group of Latin vowels except a silent e. */
function countSyllables(text: string): number {
  const characters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const groups = words.map((word) => word.replace(/e$/, '').match(/[aeiouy]+/g)?.length ?? 1);
  return groups.reduce((sum, count) => sum + count, characters);
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.length === 0 ? undefined : middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

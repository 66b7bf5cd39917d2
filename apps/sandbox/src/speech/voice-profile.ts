import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { VoiceProfile } from './job.ts';

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

import { createHash } from 'node:crypto';
import type { VoiceProfile } from '../job.ts';

/** Voices with a character of their own; all others get one from their id. */
const knownVoices: Readonly<Record<string, Omit<VoiceProfile, 'id' | 'seed'>>> = {
  'sandbox-alba': { language: 'en-us', variant: 'f3', pitch: 48, rate: 168 },
  'sandbox-blake': { language: 'en-us', variant: 'm3', pitch: 42, rate: 172 },
  'sandbox-cleo': { language: 'en-gb-x-rp', variant: 'f2', pitch: 56, rate: 176 },
  'sandbox-mei': { language: 'cmn', variant: 'f4', pitch: 54, rate: 165 },
};

const accents = ['en-us', 'en-gb-x-rp', 'en-gb-scotland', 'en-us-nyc'] as const;
const variants = ['f1', 'f2', 'f3', 'f4', 'f5', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'] as const;
const slowestRate = 160;
const rateSteps = 25;
const lowestPitch = 35;
const pitchSteps = 31;

/** The profile of a voice: the same for the same id, and another one for another id. */
export function profileForVoice(voiceId: string): VoiceProfile {
  const known = knownVoices[voiceId];
  if (known !== undefined) return { id: voiceId, seed: voiceId, ...known };
  const digest = createHash('sha256').update(voiceId).digest();
  return {
    id: voiceId,
    seed: voiceId,
    language: accents[digest.readUInt16BE(0) % accents.length] ?? accents[0],
    variant: variants[digest.readUInt16BE(2) % variants.length] ?? variants[0],
    pitch: lowestPitch + (digest.readUInt16BE(4) % pitchSteps),
    rate: slowestRate + (digest.readUInt16BE(6) % rateSteps),
  };
}

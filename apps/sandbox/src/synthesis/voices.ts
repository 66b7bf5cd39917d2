import { createHash } from 'node:crypto';
import type { ReferenceAudio, SynthesisRequest } from '@speech-api/types';
import { Refusal } from '@speech-api/wire';
import type { Account } from '../accounts/account.ts';
import { isReadable } from '../operations/voice-models.ts';
import type { Seed } from '../seed/seed.ts';
import { hearClip, profileForVoice, profileFromClips, type VoiceProfile } from '../speech/index.ts';

/** Who speaks when a request names nobody. */
const voiceOfNobody = 'sandbox-alba';

/**
 * The voices of a request, in the order of its speakers.
 *
 * Saved voices are looked up; in a zero-shot dialogue the ids are arbitrary names and are not.
 *
 * @throws Refusal `unknown-voice`
 */
export function voicesOf(request: SynthesisRequest, seed: Seed, account: Account): readonly VoiceProfile[] {
  const { reference_id: ids } = request;
  const references: readonly (ReferenceAudio | readonly ReferenceAudio[])[] =
    'references' in request ? (request.references ?? []) : [];
  if (Array.isArray(ids)) {
    if (references.length === 0) return ids.map((id) => savedVoice(id, seed, account));
    return references.map((samples) => voiceOfSamples([samples].flat()));
  }
  if (typeof ids === 'string') return [savedVoice(ids, seed, account)];
  return [references.length > 0 ? voiceOfSamples(references.flat()) : profileForVoice(voiceOfNobody)];
}

function savedVoice(id: string, seed: Seed, account: Account): VoiceProfile {
  const found = seed.models.find(({ model }) => model._id === id);
  const name = JSON.stringify(id.slice(0, 100));
  if (!found || !isReadable(found.model, account)) {
    const message = `reference_id ${name} is no voice model that this key may use; GET /model lists them.`;
    throw new Refusal('unknown-voice', { message });
  }
  if (found.model.state !== 'trained') {
    const message = `the voice model ${name} of reference_id is ${found.model.state}, not trained yet.`;
    throw new Refusal('unknown-voice', { message });
  }
  return profileForVoice(id);
}

/** As high and as fast as the voice of the samples, and the same for the same samples. */
function voiceOfSamples(samples: readonly ReferenceAudio[]): VoiceProfile {
  const hash = createHash('sha256');
  const clips = samples.map(({ audio, text }) => {
    // Validation has turned every sample into bytes, whichever way it came.
    const bytes = audio as Uint8Array;
    hash.update(bytes);
    return { ...hearClip(bytes), transcript: text };
  });
  return profileFromClips(`samples-${hash.digest('hex').slice(0, 32)}`, clips);
}

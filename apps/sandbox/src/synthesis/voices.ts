import { createHash } from 'node:crypto';
import type { ReferenceAudio, SynthesisRequest } from '@speech-api/types';
import { Refusal } from '@speech-api/wire';
import type { Account } from '../accounts/account.ts';
import { profileForVoice, type VoiceProfile } from '../speech/index.ts';
import type { State } from '../state/state.ts';
import { isReadable } from '../voice-models/access.ts';
import { stateOf } from '../voice-models/stored-model.ts';

/** Who speaks when a request names nobody. */
const voiceOfNobody = 'sandbox-alba';

/**
 * The voices of a request, in the order of its speakers.
 *
 * Saved voices are looked up; in a zero-shot dialogue the ids are arbitrary names and are not.
 *
 * @throws Refusal `unknown-voice`
 */
export function voicesOf(request: SynthesisRequest, state: State, account: Account): readonly VoiceProfile[] {
  const { reference_id: ids } = request;
  const references: readonly (ReferenceAudio | readonly ReferenceAudio[])[] =
    'references' in request ? (request.references ?? []) : [];
  if (Array.isArray(ids)) {
    if (references.length === 0) return ids.map((id) => savedVoice(id, state, account));
    return references.map((samples) => voiceOfSamples([samples].flat()));
  }
  if (typeof ids === 'string') return [savedVoice(ids, state, account)];
  return [references.length > 0 ? voiceOfSamples(references.flat()) : profileForVoice(voiceOfNobody)];
}

/** The ids of the voice models that speak, those of a zero-shot dialogue excepted: they are names of nothing. */
export function savedVoicesOf(request: SynthesisRequest): readonly string[] {
  const { reference_id: ids } = request;
  const isZeroShot = Array.isArray(ids) && 'references' in request && request.references.length > 0;
  return ids === undefined || isZeroShot ? [] : [ids].flat();
}

function savedVoice(id: string, state: State, account: Account): VoiceProfile {
  const found = state.models.find(id);
  const name = JSON.stringify(id.slice(0, 100));
  if (!found || !isReadable(found.model, account)) {
    const message = `reference_id ${name} is no voice model that this key may use; GET /model lists them.`;
    throw new Refusal('unknown-voice', { message });
  }
  const { state: reached } = stateOf(found, state.now());
  if (reached !== 'trained') {
    const why = reached === 'failed' ? 'its training failed' : `it is ${reached}, not trained yet`;
    const message = `reference_id ${name} cannot speak: ${why}.`;
    throw new Refusal('unknown-voice', { message });
  }
  return profileForVoice(id);
}

/** Not the voice of the samples: one that is always the same for the same samples. */
function voiceOfSamples(samples: readonly ReferenceAudio[]): VoiceProfile {
  const hash = createHash('sha256');
  // Validation has turned every sample into bytes, whichever way it came.
  for (const sample of samples) hash.update(sample.audio as Uint8Array);
  return profileForVoice(`samples-${hash.digest('hex').slice(0, 32)}`);
}

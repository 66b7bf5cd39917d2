import { createHash } from 'node:crypto';
import { Refusal } from '@speech-api/server';
import type { ReferenceAudio, SynthesisRequest } from '@speech-api/types';
import type { Account } from '../accounts/account.ts';
import { heardVoiceOf } from '../clips/voice-metrics.ts';
import {
  type HeardVoice,
  profileForVoice,
  profileFromClips,
  type VoiceClip,
  type VoiceProfile,
} from '../speech/index.ts';
import type { State } from '../state/state.ts';
import type { Uploads } from '../uploads/index.ts';
import { isReadable } from '../voice-models/access.ts';
import { type StoredClip, stateOf } from '../voice-models/stored-model.ts';
import { listenToSample, UnreadableSampleError } from './listen-to-sample.ts';

/** Who speaks when a request names nobody. */
const voiceOfNobody = 'sandbox-alba';

/** What the voices of a request are found with. */
export interface VoiceSources {
  readonly state: State;
  readonly account: Account;
  readonly uploads: Uploads;
  readonly signal: AbortSignal;
}

/**
 * The voices of a request, in the order of its speakers.
 *
 * Saved voices are looked up; in a zero-shot dialogue the ids are arbitrary names and are not.
 *
 * @throws Refusal `unknown-voice`, or `audio-unreadable` naming the sample
 */
export async function voicesOf(
  request: SynthesisRequest,
  sources: VoiceSources,
): Promise<readonly VoiceProfile[]> {
  const { reference_id: ids } = request;
  const references: readonly (ReferenceAudio | readonly ReferenceAudio[])[] =
    'references' in request ? (request.references ?? []) : [];
  if (Array.isArray(ids)) {
    if (references.length === 0) return ids.map((id) => savedVoice(id, sources));
    return await Promise.all(
      references.map((samples, speaker) =>
        voiceOfSamples([samples].flat(), `references[${speaker}]`, sources),
      ),
    );
  }
  if (typeof ids === 'string') return [savedVoice(ids, sources)];
  if (references.length === 0) return [profileForVoice(voiceOfNobody)];
  return [await voiceOfSamples(references.flat(), 'references', sources)];
}

/** The ids of the voice models that speak, those of a zero-shot dialogue excepted: they are names of nothing. */
export function savedVoicesOf(request: SynthesisRequest): readonly string[] {
  const { reference_id: ids } = request;
  const isZeroShot = Array.isArray(ids) && 'references' in request && request.references.length > 0;
  return ids === undefined || isZeroShot ? [] : [ids].flat();
}

function savedVoice(id: string, { state, account }: VoiceSources): VoiceProfile {
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
  return profileFromClips(id, (found.clips ?? []).map(voiceClipOf));
}

function voiceClipOf({ facts, text }: StoredClip): VoiceClip {
  return { ...heardVoiceOf(facts), transcript: text };
}

/** As high and as fast as the voice of the samples, and the same for the same samples. */
async function voiceOfSamples(
  samples: readonly ReferenceAudio[],
  field: string,
  sources: VoiceSources,
): Promise<VoiceProfile> {
  const hash = createHash('sha256');
  // Validation has turned every sample into bytes, whichever way it came.
  for (const { audio } of samples) hash.update(audio as Uint8Array);
  const clips = await Promise.all(
    samples.map(async ({ audio, text }, index) => ({
      ...(await hear(audio as Uint8Array, `${field}[${index}].audio`, sources)),
      transcript: text,
    })),
  );
  return profileFromClips(`samples-${hash.digest('hex').slice(0, 32)}`, clips);
}

async function hear(bytes: Uint8Array, field: string, sources: VoiceSources): Promise<HeardVoice> {
  try {
    return await listenToSample(bytes, sources);
  } catch (error) {
    if (!(error instanceof UnreadableSampleError)) throw error;
    throw new Refusal('audio-unreadable', { message: `\`${field}\`: ${error.message}.`, cause: error });
  }
}

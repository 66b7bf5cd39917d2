import { createHash } from 'node:crypto';
import { Refusal } from '@speech-api/server';
import {
  defaultModel,
  defaultSampleRates,
  prosodyDefaults,
  type ReferenceAudio,
  type SynthesisRequest,
  synthesisDefaults,
  synthesisModels,
} from '@speech-api/types';
import type { Account } from './accounts.ts';
import { inspectClip } from './clips.ts';
import type { SpeechJob, VoiceProfile } from './speech/job.ts';
import { profileForVoice } from './speech/prosody.ts';
import type { State } from './state/state.ts';
import type { Uploads } from './uploads/uploads.ts';
import { stateOf } from './voice-models/voice-model.ts';
import { isReadable } from './voice-models/voice-model-store.ts';

/** Fills in the defaults of the spec. The two fields that may be null, sample_rate and prosody, mean their defaults by it. */
export function createJob(
  request: SynthesisRequest,
  modelHeader: string | undefined,
  speakers: readonly VoiceProfile[],
): SpeechJob {
  const settings = { ...synthesisDefaults, ...request };
  return {
    text: settings.text,
    model: knownModel(modelHeader),
    speakers,
    format: settings.format,
    sample_rate: settings.sample_rate ?? defaultSampleRates[settings.format],
    mp3_bitrate: settings.mp3_bitrate,
    opus_bitrate: settings.opus_bitrate,
    chunk_length: settings.chunk_length,
    min_chunk_length: settings.min_chunk_length,
    latency: settings.latency,
    normalize: settings.normalize,
    temperature: settings.temperature,
    top_p: settings.top_p,
    max_new_tokens: settings.max_new_tokens,
    condition_on_previous_chunks: settings.condition_on_previous_chunks,
    prosody: { ...prosodyDefaults, ...settings.prosody },
  };
}

/** A model that this sandbox has never heard of is spoken by the default one, as servers do. */
function knownModel(header: string | undefined): string {
  return synthesisModels.find((model) => model === header) ?? defaultModel;
}

/** The voice of a request that names none. */
const voiceOfNobody = 'sandbox-alba';

/** Sources for the voices of a request. */
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
  const references: readonly (ReferenceAudio | readonly ReferenceAudio[])[] = request.references ?? [];
  if (Array.isArray(ids)) {
    if (references.length === 0) return ids.map((id) => savedVoice(id, sources));
    return await Array.fromAsync(references, (samples, speaker) =>
      voiceOfSamples([samples].flat(), `references[${speaker}]`, sources),
    );
  }
  // With both, the samples are the voice (`reference-both-or-neither` in the register).
  if (references.length > 0) return [await voiceOfSamples(references.flat(), 'references', sources)];
  return [typeof ids === 'string' ? savedVoice(ids, sources) : profileForVoice(voiceOfNobody)];
}

/** The ids of the voice models that speak, those of a zero-shot dialogue excepted: they are names of nothing. */
export function savedVoicesOf(request: SynthesisRequest): readonly string[] {
  const { reference_id: ids } = request;
  const isZeroShot = Array.isArray(ids) && (request.references?.length ?? 0) > 0;
  return ids === undefined || isZeroShot ? [] : [ids].flat();
}

function savedVoice(id: string, { state, account }: VoiceSources): VoiceProfile {
  const found = state.models.find(id);
  const name = JSON.stringify(id.slice(0, 100));
  if (!found || !isReadable(found.model, account)) {
    const message = `reference_id ${name} is not a voice model that this key may use; GET /model lists them.`;
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

/** A voice of their own for samples that can be decoded: the same for the same samples. */
async function voiceOfSamples(
  samples: readonly ReferenceAudio[],
  field: string,
  { uploads, signal }: VoiceSources,
): Promise<VoiceProfile> {
  const hash = createHash('sha256');
  for (const [index, { audio }] of samples.entries()) {
    // Validation has turned every sample into bytes, whichever way it came.
    const bytes = audio as Uint8Array;
    hash.update(bytes);
    const { problem } = await inspectClip(bytes, { uploads, signal });
    if (problem === undefined) continue;
    throw new Refusal('audio-unreadable', { message: `\`${field}[${index}].audio\`: ${problem}.` });
  }
  return profileForVoice(`samples-${hash.digest('hex').slice(0, 32)}`);
}

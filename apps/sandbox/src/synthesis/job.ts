import {
  defaultModel,
  defaultSampleRates,
  prosodyDefaults,
  type SynthesisRequest,
  synthesisDefaults,
  synthesisModels,
} from '@speech-api/types';
import type { SpeechJob, VoiceProfile } from '../speech/index.ts';

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

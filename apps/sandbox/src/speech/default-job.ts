import { defaultModel, defaultSampleRates, prosodyDefaults, synthesisDefaults } from '@speech-api/types';
import type { SpeechJob, VoiceProfile } from './job.ts';

/** The job of a request that says nothing but its text. */
export function defaultJob(text: string, speaker: VoiceProfile): SpeechJob {
  return {
    ...synthesisDefaults,
    text,
    model: defaultModel,
    speakers: [speaker],
    sample_rate: defaultSampleRates[synthesisDefaults.format],
    prosody: prosodyDefaults,
  };
}

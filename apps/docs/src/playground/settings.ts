import type { AudioFormat, SingleSpeakerRequest, SynthesisModel } from '@speech-api/types';
import { prosodyDefaults, synthesisDefaults } from '@speech-api/types';

/** Everything the reader chose. The key lives here and in its field, nowhere else. */
export interface PlaygroundSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly text: string;
  readonly model: SynthesisModel;
  /** Id of a voice model; empty for the service's own choice. */
  readonly voice: string;
  readonly format: AudioFormat;
  readonly speed: number;
}

/** The request for these settings. What equals a default of the specification is left out. */
export function toRequest(settings: PlaygroundSettings): SingleSpeakerRequest {
  return {
    text: settings.text,
    ...(settings.voice === '' ? {} : { reference_id: settings.voice }),
    ...(settings.format === synthesisDefaults.format ? {} : { format: settings.format }),
    ...(settings.speed === prosodyDefaults.speed ? {} : { prosody: { speed: settings.speed } }),
  };
}

import type { AudioFormat, LatencyMode, SingleSpeakerRequest, SynthesisModel } from '@speech-api/types';
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
  readonly latency: LatencyMode;
  readonly speed: number;
}

/**
 * What the page begins with. The snapshots of `balanced` follow the sound closely, so that a word can be lit while
 * the rest of its sentence is still being made; in `normal` they may come after it.
 */
export const liveLatency: LatencyMode = 'balanced';

/** Seconds of audio gathered before the first sound: enough for the times of the first word to be there too. */
export const startSeconds = 0.4;

/** The request for these settings. What equals a default of the specification is left out. */
export function toRequest(settings: PlaygroundSettings): SingleSpeakerRequest {
  return {
    text: settings.text,
    ...(settings.voice === '' ? {} : { reference_id: settings.voice }),
    ...(settings.format === synthesisDefaults.format ? {} : { format: settings.format }),
    ...(settings.latency === synthesisDefaults.latency ? {} : { latency: settings.latency }),
    ...(settings.speed === prosodyDefaults.speed ? {} : { prosody: { speed: settings.speed } }),
  };
}

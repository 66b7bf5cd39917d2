import type { SingleSpeakerRequest, SynthesisModel } from '@speech-api/types';
import { type SoundSettings, soundPart } from '../sound/sound-fields.ts';

/** Everything the reader chose but the connection. */
export interface SpeakSettings {
  readonly text: string;
  readonly model: SynthesisModel;
  /** Id of a voice model; empty for the service's own choice. */
  readonly voice: string;
  readonly sound: SoundSettings;
}

/** The request for these settings. What equals a default of the specification is left out. */
export function toRequest({ text, voice, sound }: SpeakSettings): SingleSpeakerRequest {
  return { text, ...(voice === '' ? {} : { reference_id: voice }), ...soundPart(sound) };
}

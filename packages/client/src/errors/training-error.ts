import type { VoiceModel } from '@speech-api/types';
import { SpeechError } from './speech-error.ts';

/** The training of a voice model failed; waiting longer does not help. */
export class TrainingError extends SpeechError {
  static override readonly kind: string = 'TrainingError';
  declare readonly name: 'TrainingError';

  /** The voice model as it was read last. */
  readonly model: VoiceModel;

  constructor(model: VoiceModel) {
    super(`the training of the voice model ${model._id} failed`);
    this.model = model;
  }
}

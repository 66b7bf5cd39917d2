import { SpeechError } from './speech-error.ts';

/** The caller's own signal ended the call. `cause` is the reason the signal was given. */
export class AbortError extends SpeechError {
  static override readonly kind: string = 'AbortError';
  declare readonly name: 'AbortError';

  constructor(cause?: unknown) {
    super('the call was aborted', { cause });
  }
}

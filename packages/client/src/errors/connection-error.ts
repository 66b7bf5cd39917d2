import { SpeechError } from './speech-error.ts';

/**
 * The service could not be reached, or the connection broke before the answer was complete.
 *
 * `cause` is the error of `fetch`. For a POST it is unknown whether the service did (and billed) the work.
 */
export class ConnectionError extends SpeechError {
  static override readonly kind: string = 'ConnectionError';
  declare readonly name: 'ConnectionError';
}

import { SpeechError } from './speech-error.ts';

/** `createSpeechClient` was called with settings that cannot work; the message names the option and the variable. */
export class ConfigurationError extends SpeechError {
  static override readonly kind: string = 'ConfigurationError';
  declare readonly name: 'ConfigurationError';
}

const marker = Symbol.for('@speech-api/sandbox/SpeechOverloadError');

/** Every engine was at work for too long: the same job may be spoken later. */
export class SpeechOverloadError extends Error {
  override readonly name = 'SpeechOverloadError';
  readonly [marker] = true;

  static isInstance(value: unknown): value is SpeechOverloadError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}

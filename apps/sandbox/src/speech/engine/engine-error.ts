const marker = Symbol.for('@speech-api/sandbox/SpeechEngineError');

/** The engine could not do its work: it crashed, fell silent, or answered something else than its protocol. */
export class SpeechEngineError extends Error {
  override readonly name = 'SpeechEngineError';
  readonly [marker] = true;

  static isInstance(value: unknown): value is SpeechEngineError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}

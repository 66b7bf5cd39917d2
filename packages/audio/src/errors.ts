/**
 * The kind of fault in the bytes:
 *
 * - `not-recognised`: they are not of the format they were said to be.
 * - `unsupported`: the right container with something inside that this package does not read.
 * - `incomplete`: a part is missing without which nothing can read the sound.
 */
export type AudioFormatErrorKind = 'not-recognised' | 'unsupported' | 'incomplete';

/** Bytes that are not the audio they were said to be. */
export class AudioFormatError extends Error {
  override readonly name = 'AudioFormatError';
  readonly kind: AudioFormatErrorKind;

  constructor(message: string, kind: AudioFormatErrorKind) {
    super(message);
    this.kind = kind;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static isInstance(value: unknown): value is AudioFormatError {
    return Object(value).name === 'AudioFormatError';
  }
}

/**
 * Why a recording cannot be transcribed:
 *
 * - `not-recognised`: no container that is known here.
 * - `unsupported`: a container or codec that cannot be cut here; the message says what would work.
 * - `damaged`: the bytes break off or contradict themselves, so that times after it would be guesses.
 * - `too-short`: less than the service accepts.
 * - `too-slow`: reading it passed the deadline, so it was given up.
 * - `busy`: another run uses the same journal.
 */
export type RecordingErrorKind =
  | 'not-recognised'
  | 'unsupported'
  | 'damaged'
  | 'too-short'
  | 'too-slow'
  | 'busy';

const marker = Symbol.for('@speech-api/recordings/RecordingError');

/** A recording that cannot be cut, or whose times could not be trusted. Its parts that were sent before are paid for. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly kind: RecordingErrorKind;

  constructor(message: string, kind: RecordingErrorKind) {
    super(message);
    this.kind = kind;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static isInstance(value: unknown): value is RecordingError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}

/**
 * The kind of error:
 *
 * - `unsupported-value`: a value that no request can carry (a function, a `Date`, `NaN`); see `path`.
 * - `too-deep`: more levels than the limit.
 * - `too-large`: a message beyond its limits.
 * - `truncated`: the bytes end inside a value.
 * - `trailing-bytes`: bytes follow the value.
 * - `malformed`: the bytes are not MessagePack, or a map key is neither a string nor a number.
 */
export type MessagePackErrorKind =
  | 'unsupported-value'
  | 'too-deep'
  | 'too-large'
  | 'truncated'
  | 'trailing-bytes'
  | 'malformed';

/** A value could not be encoded, or bytes could not be decoded. */
export class MessagePackError extends Error {
  override readonly name = 'MessagePackError';
  readonly kind: MessagePackErrorKind;
  /** JSON pointer into the value being encoded; undefined when decoding. */
  readonly path: string | undefined;

  constructor(message: string, kind: MessagePackErrorKind, path?: string) {
    super(message);
    this.kind = kind;
    this.path = path;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static isInstance(value: unknown): value is MessagePackError {
    return Object(value).name === 'MessagePackError';
  }
}

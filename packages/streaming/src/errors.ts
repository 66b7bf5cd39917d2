/**
 * The kind of stream error:
 *
 * - `malformed-json`: the data of an event is not JSON.
 * - `invalid-field`: a field of the payload is missing or of another type; see {@link SpeechStreamError.field}.
 * - `invalid-base64`: `audio_base64` is not standard, padded base64.
 * - `event-too-large`: an event is longer than `maximumEventLength`.
 * - `error-event`: the service sent an event named `error`, or an error in place of a payload.
 * - `truncated`: the body ended inside an event.
 * - `body-failed`: reading the body failed (a broken connection, an abort); `cause` holds its error.
 * - `already-read`: the body has, or had, another reader.
 */
export type SpeechStreamErrorKind =
  | 'malformed-json'
  | 'invalid-field'
  | 'invalid-base64'
  | 'event-too-large'
  | 'error-event'
  | 'truncated'
  | 'body-failed'
  | 'already-read';

/** Kind, place and cause of a stream error. */
export interface SpeechStreamErrorDetails {
  readonly kind: SpeechStreamErrorKind;
  /** JSON pointer to the offending field, for `invalid-field` and `invalid-base64`. */
  readonly field?: string;
  /** Number of events read whole before the failure. */
  readonly eventIndex?: number;
  readonly cause?: unknown;
}

const marker = Symbol.for('@speech-api/streaming/SpeechStreamError');

/** The stream is not as the interface describes it, or it broke off. Audio that came before is still good. */
export class SpeechStreamError extends Error {
  override readonly name = 'SpeechStreamError';
  readonly kind: SpeechStreamErrorKind;
  /** JSON pointer to the offending field, where there is one. */
  readonly field: string | undefined;
  /** Number of events read whole before the failure. */
  readonly eventIndex: number | undefined;

  constructor(message: string, details: SpeechStreamErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.field = details.field;
    this.eventIndex = details.eventIndex;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static isInstance(value: unknown): value is SpeechStreamError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}

// More of a stranger's text would hide the rest of a message.
const maximumCharacters = 300;
const maximumLevels = 8;

/** The message of an error body: a string in `message`, `detail` or `error`, few levels deep; undefined if there is none. */
export function wordsOf(body: unknown): string | undefined {
  let inner = body;
  for (let level = 0; level < maximumLevels && typeof inner !== 'string'; level += 1) {
    const { message, detail, error } = Object(inner) as Partial<Record<string, unknown>>;
    inner = message ?? detail ?? error;
  }
  if (typeof inner !== 'string') return undefined;
  const words = inner
    .slice(0, 10 * maximumCharacters)
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > maximumCharacters ? `${words.slice(0, maximumCharacters)}…` : words || undefined;
}

/** The error for an error that came as an event. Its data is JSON, or the text itself. */
export function errorEvent(data: string, eventIndex: number): SpeechStreamError {
  let body: unknown = data;
  try {
    body = JSON.parse(data);
  } catch {}
  const words = wordsOf(body) ?? 'it says nothing more';
  return new SpeechStreamError(`The service sent an error in the stream: ${words}`, {
    kind: 'error-event',
    eventIndex,
    cause: data,
  });
}

import type { Alignment, SpeechStreamEvent } from '@speech-api/types';

/**
 * Audio, once for each event of the wire, in arrival order.
 * The chunks joined are the complete audio; one chunk alone may hold a part of a frame or a sample.
 * A chunk may be empty, and it must not be attributed to the `chunk_seq` it arrived with.
 */
export interface AudioChunkEvent {
  readonly type: 'audio-chunk';
  readonly audio: Uint8Array<ArrayBuffer>;
  /** The payload as it was on the wire, with the fields that this version does not know. Treat it as read-only. */
  readonly wire: SpeechStreamEvent;
}

/** The first event that names this `chunk_seq`. */
export interface ChunkStartEvent {
  readonly type: 'chunk-start';
  readonly chunk_seq: number;
  /** Seconds from the start of the whole audio. */
  readonly chunk_audio_offset_sec: number;
  readonly content: string;
}

/** A non-null alignment, which replaces the earlier one of this `chunk_seq`. */
export interface AlignmentUpdateEvent {
  readonly type: 'alignment-update';
  readonly chunk_seq: number;
  /** Seconds from the start of the whole audio; segment times count from here. */
  readonly chunk_audio_offset_sec: number;
  readonly content: string;
  readonly alignment: Alignment;
}

/** The body ended cleanly after a whole event. Always the last event. */
export interface EndEvent {
  readonly type: 'end';
}

/** An event that `readSpeechEvents` yields. */
export type SpeechEvent = AudioChunkEvent | ChunkStartEvent | AlignmentUpdateEvent | EndEvent;

/**
 * The kind of stream error:
 *
 * - `foreign-text`: a line is not part of an event stream, such as the error page of a gateway; the text is in `body`.
 * - `malformed-json`: the data of an event is not JSON; the data is in `body`.
 * - `invalid-field`: a field of the payload is missing or of another type; see {@link SpeechStreamError.field}.
 * - `invalid-base64`: `audio_base64` is not standard, padded base64.
 * - `event-too-large`: an event is longer than `maximumEventLength`.
 * - `error-event`: the service sent an event named `error`, or an error in place of a payload; its data is in `body`.
 * - `truncated`: the body ended inside an event.
 * - `body-failed`: reading the body failed (a broken connection, an abort); `cause` holds its error.
 * - `already-read`: the body has, or had, another reader.
 */
export type SpeechStreamErrorKind =
  | 'foreign-text'
  | 'malformed-json'
  | 'invalid-field'
  | 'invalid-base64'
  | 'event-too-large'
  | 'error-event'
  | 'truncated'
  | 'body-failed'
  | 'already-read';

/** The stream is not as the interface describes it, or it broke off. Audio that came before is still good. */
export class SpeechStreamError extends Error {
  override readonly name = 'SpeechStreamError';
  readonly kind: SpeechStreamErrorKind;
  /** JSON pointer to the offending field, for `invalid-field` and `invalid-base64`. */
  readonly field: string | undefined;
  /** Number of events read whole before the failure. */
  readonly eventIndex: number | undefined;
  // Private: it may quote what was paid for, and errors are often logged whole.
  readonly #body: string | undefined;

  constructor(message: string, context: Pick<SpeechStreamError, 'kind'> & Partial<SpeechStreamError>) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.kind = context.kind;
    this.field = context.field;
    this.eventIndex = context.eventIndex;
    this.#body = context.body;
  }

  /** The text that could not be read; undefined if it does not explain the failure. */
  get body(): string | undefined {
    return this.#body;
  }

  /** Works across copies of this package, where `instanceof` does not. */
  static isInstance(value: unknown): value is SpeechStreamError {
    return Object(value).name === 'SpeechStreamError';
  }
}

import type { EventSourceMessage } from 'eventsource-parser';
import { errorEvent, SpeechStreamError, wordsOf } from './errors.ts';
import { createEventDecoder, type EventDecoder } from './event-decoder.ts';
import type { SpeechEvent } from './events.ts';
import { PayloadOpener } from './payload/open-payload.ts';
import { Timeline } from './timeline.ts';

/** A body: what `Response.body` is, or any async iterable of bytes. */
export type SpeechStreamBody = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Options of {@link readSpeechEvents}. */
export interface ReadSpeechEventsOptions {
  /**
   * Maximum number of characters in the data of one event. A longer event ends the stream with an error, so that a
   * hostile server cannot fill the memory.
   *
   * @defaultValue 16777216 (16 Mi), some 12 MB of audio in one event
   */
  readonly maximumEventLength?: number;
  /**
   * Returns what is thrown in place of an error, so that a caller sees one family of errors.
   *
   * @defaultValue the error itself
   */
  readonly mapError?: (error: SpeechStreamError) => unknown;
}

/** The events of one stream. It has one reader. */
export interface SpeechEventReader extends AsyncIterableIterator<SpeechEvent, void, undefined> {
  /** The next event. A call made while another one waits is answered after it. */
  next(): Promise<IteratorResult<SpeechEvent, void>>;
  /** Ends the stream and cancels the body. A `next` that waits is done at once. */
  return(): Promise<IteratorReturnResult<void>>;
  [Symbol.asyncIterator](): SpeechEventReader;
}

/** A whole stream, read to its end. */
export interface CollectedSpeech {
  /** The complete audio: every chunk in arrival order. */
  readonly audio: Uint8Array<ArrayBuffer>;
  readonly timeline: Timeline;
}

/** Default of `maximumEventLength`, in characters. */
export const defaultMaximumEventLength: number = 16 * 1024 * 1024;

/**
 * Reads the body of `POST /v1/tts/stream/with-timestamp` (sections 2.4 and 4.2).
 *
 * Each wire event yields `chunk-start` (the first time its `chunk_seq` is named), then `audio-chunk`, then
 * `alignment-update` (when its alignment is not null). `end` comes once, last, after a clean end of the body or after
 * the end marker `[DONE]`; nothing after that marker is read. Comments, unknown fields and events of other names are
 * skipped.
 *
 * The body is read only when the next event is asked for and nothing is decoded ahead. Leaving the loop cancels it.
 *
 * @throws SpeechStreamError at once when the body already has a reader, and from the loop for everything else.
 *
 * @example
 * ```ts
 * const timeline = new Timeline();
 * for await (const event of readSpeechEvents(response.body)) {
 *   timeline.apply(event);
 *   if (event.type === 'audio-chunk') await player.write(event.audio);
 * }
 * ```
 */
export function readSpeechEvents(
  body: SpeechStreamBody,
  options: ReadSpeechEventsOptions = {},
): SpeechEventReader {
  return new EventReader(claim(body), options);
}

/**
 * Reads a stream of events to its end. Holds all of the audio in memory.
 *
 * @param timeline - Filled while reading, so that it can be watched. @defaultValue a new one
 * @throws SpeechStreamError when the stream fails.
 */
export async function collectSpeech(
  events: AsyncIterable<SpeechEvent>,
  timeline: Timeline = new Timeline(),
): Promise<CollectedSpeech> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const event of events) {
    timeline.apply(event);
    if (event.type === 'audio-chunk') chunks.push(event.audio);
  }
  const audio = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    audio.set(chunk, position);
    position += chunk.length;
  }
  return { audio, timeline };
}

const claimed = /* @__PURE__ */ new WeakSet<object>();

/** @throws SpeechStreamError `already-read` when the body has, or had, a reader. */
function claim(body: SpeechStreamBody): AsyncIterator<Uint8Array> {
  const isStream = 'getReader' in body;
  if (claimed.has(body) || (isStream && body.locked)) {
    throw new SpeechStreamError(
      'This stream already has a reader. Read it once and share the result, for example its timeline.',
      { kind: 'already-read' },
    );
  }
  claimed.add(body);
  if (!isStream) return body[Symbol.asyncIterator]();
  const reader = body.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    return: () => reader.cancel().then(() => ({ value: undefined, done: true })),
  };
}

const done: IteratorReturnResult<void> = { value: undefined, done: true };

/** Written by hand, because a generator that waits for bytes does not hear of `return` before they come. */
class EventReader implements SpeechEventReader {
  readonly #bytes: AsyncIterator<Uint8Array>;
  readonly #decoder: EventDecoder;
  readonly #payloads = new PayloadOpener();
  readonly #mapError: (error: SpeechStreamError) => unknown;
  readonly #startedChunks = new Set<number>();
  /** Complete, but not opened yet. */
  #messages: readonly EventSourceMessage[] = [];
  #position = 0;
  /** Events of the latest opened message that were not read yet, in reverse. */
  #events: SpeechEvent[] = [];
  #eventIndex = 0;
  #isFinished = false;
  #isClosed = false;
  #isReading = false;
  #latest: Promise<IteratorResult<SpeechEvent, void>> | undefined;
  /** Ends the wait for bytes. */
  #stopWaiting: (() => void) | undefined;

  constructor(bytes: AsyncIterator<Uint8Array>, options: ReadSpeechEventsOptions) {
    this.#bytes = bytes;
    this.#decoder = createEventDecoder(options.maximumEventLength ?? defaultMaximumEventLength);
    this.#mapError = options.mapError ?? ((error) => error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<SpeechEvent, void>> {
    const event = this.#events.pop();
    if (event !== undefined) return Promise.resolve({ value: event, done: false });
    if (this.#isReading && this.#latest !== undefined) {
      const next = () => this.next();
      return this.#latest.then(next, next);
    }
    this.#latest = this.#read();
    return this.#latest;
  }

  return(): Promise<IteratorReturnResult<void>> {
    this.#close();
    return Promise.resolve(done);
  }

  async #read(): Promise<IteratorResult<SpeechEvent, void>> {
    this.#isReading = true;
    try {
      for (;;) {
        if (this.#isClosed) return done;
        const message = this.#messages[this.#position++];
        if (message !== undefined) this.#open(message);
        else if (this.#decoder.failure !== undefined) throw located(this.#decoder.failure, this.#eventIndex);
        else {
          const result = await this.#nextBytes();
          if (result !== undefined) this.#takeIn(result);
        }
        const event = this.#events.pop();
        if (event !== undefined) return { value: event, done: false };
      }
    } catch (error) {
      this.#close();
      throw SpeechStreamError.isInstance(error) ? this.#mapError(error) : error;
    } finally {
      this.#isReading = false;
    }
  }

  /** The next bytes or the end of the body, or undefined when the reader was closed meanwhile. */
  #nextBytes(): Promise<IteratorResult<Uint8Array> | undefined> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve(undefined);
      this.#bytes.next().then(resolve, (cause: unknown) => reject(this.#brokenOff(cause)));
    });
  }

  #takeIn(result: IteratorResult<Uint8Array>): void {
    this.#position = 0;
    this.#messages = [];
    if (result.done !== true) this.#messages = this.#decoder.push(result.value);
    else {
      this.#decoder.end();
      if (this.#decoder.failure === undefined) this.#finish(true);
    }
  }

  #brokenOff(cause: unknown): SpeechStreamError {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    return new SpeechStreamError(`The body broke off after ${this.#eventIndex} events${reason}`, {
      kind: 'body-failed',
      eventIndex: this.#eventIndex,
      cause,
    });
  }

  #open({ event, data }: EventSourceMessage): void {
    const eventIndex = this.#eventIndex;
    // Not among the events of section 6. Silence would turn a failure of the server into a clean, short stream.
    if (event === 'error') {
      throw errorEvent(wordsOf(parsed(data)) ?? 'it says nothing more', eventIndex, data);
    }
    if (event !== undefined && event !== 'message') return;
    if (data.trim() === '[DONE]') {
      this.#finish(false);
      return;
    }
    const { wire, audio } = this.#payloads.open(data, eventIndex);
    const { chunk_seq, chunk_audio_offset_sec, content, alignment } = wire;
    // Plain objects: an accessor would give each its own hidden class, which lives until the next full collection.
    if (alignment !== null) {
      this.#events.push({ type: 'alignment-update', chunk_seq, chunk_audio_offset_sec, content, alignment });
    }
    this.#events.push({ type: 'audio-chunk', audio, wire });
    if (!this.#startedChunks.has(chunk_seq)) {
      this.#startedChunks.add(chunk_seq);
      this.#events.push({ type: 'chunk-start', chunk_seq, chunk_audio_offset_sec, content });
    }
    this.#eventIndex += 1;
  }

  /** The stream is complete. A body that goes on after the end marker is cancelled. */
  #finish(isBodyEnded: boolean): void {
    this.#isFinished = isBodyEnded;
    this.#close();
    this.#events = [{ type: 'end' }];
  }

  #close(): void {
    this.#events = [];
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#messages = [];
    this.#stopWaiting?.();
    // Not awaited: a source that never finishes cancelling must not hold the loop that was left.
    if (!this.#isFinished) this.#bytes.return?.().then(ignore, ignore);
  }
}

function located(failure: SpeechStreamError, eventIndex: number): SpeechStreamError {
  return new SpeechStreamError(failure.message, { kind: failure.kind, eventIndex });
}

/** JSON, or the text itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function ignore(): void {}

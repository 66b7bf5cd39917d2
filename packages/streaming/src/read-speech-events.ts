import type { EventSourceMessage } from 'eventsource-parser';
import { errorEvent, SpeechStreamError } from './errors.ts';
import { createEventDecoder, type EventDecoder } from './event-decoder.ts';
import type { SpeechEvent } from './events.ts';
import { type OpenedPayload, PayloadOpener } from './payload/open-payload.ts';
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
 * Reads the body of `POST /v1/tts/stream/with-timestamp`.
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
  { maximumEventLength = defaultMaximumEventLength }: ReadSpeechEventsOptions = {},
): SpeechEventReader {
  const source = new Source(claim(body));
  const events = read(source, createEventDecoder(maximumEventLength));
  return {
    next: () => events.next(),
    // Not that of the generator, which waits for bytes with a `next` that waits.
    async return() {
      source.leave();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
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

/** The bytes of a body, which can be left at any time. */
class Source {
  readonly #bytes: AsyncIterator<Uint8Array>;
  #stopWaiting: (() => void) | undefined;
  isLeft = false;

  constructor(bytes: AsyncIterator<Uint8Array>) {
    this.#bytes = bytes;
  }

  /** The next bytes, null at the end of the body, undefined once it was left. */
  next(): Promise<Uint8Array | null | undefined> {
    return new Promise((resolve, reject) => {
      if (this.isLeft) return resolve(undefined);
      this.#stopWaiting = () => resolve(undefined);
      this.#bytes.next().then(({ done, value }) => resolve(done === true ? null : value), reject);
    });
  }

  leave(): void {
    if (this.isLeft) return;
    this.isLeft = true;
    this.#stopWaiting?.();
    // Not awaited: a source that never finishes cancelling must not hold the loop that was left.
    this.#bytes.return?.().then(ignore, ignore);
  }
}

async function* read(source: Source, decoder: EventDecoder): AsyncGenerator<SpeechEvent, void, undefined> {
  const payloads = new PayloadOpener();
  const startedChunks = new Set<number>();
  let eventIndex = 0;
  try {
    for (;;) {
      const bytes = await source.next().catch((cause: unknown) => {
        throw brokenOff(cause, eventIndex);
      });
      if (bytes === undefined) return;
      for (const message of bytes === null ? [] : decoder.push(bytes)) {
        const data = dataOf(message, eventIndex);
        if (data === '[DONE]') {
          // A body that goes on after the end marker is cancelled.
          source.leave();
          return yield { type: 'end' };
        }
        if (data === undefined) continue;
        for (const event of eventsIn(payloads.open(data, eventIndex), startedChunks)) {
          if (source.isLeft) return;
          yield event;
        }
        if (source.isLeft) return;
        eventIndex += 1;
      }
      if (bytes === null) decoder.end();
      const { failure } = decoder;
      if (failure) throw new SpeechStreamError(failure.message, { kind: failure.kind, eventIndex });
      if (bytes === null) return yield { type: 'end' };
    }
  } catch (error) {
    source.leave();
    throw error;
  }
}

/** The payload of a message, or the end marker; undefined for events of other names. */
function dataOf({ event, data }: EventSourceMessage, eventIndex: number): string | undefined {
  // The interface has no such event. Silence would turn a failure of the server into a clean, short stream.
  if (event === 'error') throw errorEvent(data, eventIndex);
  if (event !== undefined && event !== 'message') return undefined;
  return data.trim() === '[DONE]' ? '[DONE]' : data;
}

function eventsIn({ wire, audio }: OpenedPayload, startedChunks: Set<number>): SpeechEvent[] {
  const { chunk_seq, chunk_audio_offset_sec, content, alignment } = wire;
  // Plain objects: an accessor would give each its own hidden class, which lives until the next full collection.
  const events: SpeechEvent[] = [{ type: 'audio-chunk', audio, wire }];
  if (!startedChunks.has(chunk_seq)) {
    startedChunks.add(chunk_seq);
    events.unshift({ type: 'chunk-start', chunk_seq, chunk_audio_offset_sec, content });
  }
  if (alignment !== null) {
    events.push({ type: 'alignment-update', chunk_seq, chunk_audio_offset_sec, content, alignment });
  }
  return events;
}

function brokenOff(cause: unknown, eventIndex: number): SpeechStreamError {
  const reason = cause instanceof Error ? `: ${cause.message}` : '';
  const message = `The body broke off after ${eventIndex} events${reason}`;
  return new SpeechStreamError(message, { kind: 'body-failed', eventIndex, cause });
}

function ignore(): void {}

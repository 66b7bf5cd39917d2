import type { SpeechStreamEvent } from '@speech-api/types';
import { type SpeechEvent, SpeechStreamError, type SpeechStreamErrorDetails } from './events.ts';
import { Timeline } from './timeline.ts';

/** A body: what `Response.body` is, or any async iterable of bytes. */
export type SpeechStreamBody = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Options of {@link readSpeechEvents}. */
export interface ReadSpeechEventsOptions {
  /**
   * Maximum number of characters in one event. A longer event ends the stream with an error, so that a hostile server
   * cannot fill the memory.
   *
   * @defaultValue 16777216 (16 Mi), some 12 MB of audio in one event
   */
  readonly maximumEventLength?: number;
}

/** The events of one stream. It has one reader. */
export interface SpeechEventReader extends AsyncIterableIterator<SpeechEvent, void, undefined> {
  /** The next event. A call made while another one waits is answered after it. */
  next(): Promise<IteratorResult<SpeechEvent, void>>;
  /** Ends the stream and cancels the body. A pending `next` finishes at once. */
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
 * the end marker `[DONE]`; nothing after that marker is read. Comments, fields of unknown names and events of other
 * names are skipped; text that belongs to no event stream is an error.
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
  const events = read(source, maximumEventLength);
  return {
    next: () => events.next(),
    // The generator's own `return` would wait for the bytes of a pending `next`.
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
    throw new SpeechStreamError('The body already has a reader; a stream can be read once.', {
      kind: 'already-read',
    });
  }
  claimed.add(body);
  if (!isStream) return body[Symbol.asyncIterator]();
  const reader = body.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    return: () => reader.cancel().then(() => ({ value: undefined, done: true })),
  };
}

/** The bytes of a body; reading can stop at any time. */
class Source {
  readonly #bytes: AsyncIterator<Uint8Array>;
  #stopWaiting: (() => void) | undefined;
  isLeft = false;

  constructor(bytes: AsyncIterator<Uint8Array>) {
    this.#bytes = bytes;
  }

  /** The next bytes; undefined after the end of the body or after `leave`. */
  next(): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      if (this.isLeft) return resolve(undefined);
      this.#stopWaiting = () => resolve(undefined);
      this.#bytes.next().then(({ done, value }) => resolve(done === true ? undefined : value), reject);
    });
  }

  leave(): void {
    if (this.isLeft) return;
    this.isLeft = true;
    this.#stopWaiting?.();
    // Not awaited: a source that never finishes cancelling must not hold up the caller.
    this.#bytes.return?.().then(ignore, ignore);
  }
}

async function* read(
  source: Source,
  maximumEventLength: number,
): AsyncGenerator<SpeechEvent, void, undefined> {
  const parser = new MessageParser(maximumEventLength);
  const startedChunks = new Set<number>();
  let eventIndex = 0;
  try {
    for (;;) {
      const bytes = await source.next().catch((cause: unknown) => {
        const reason = cause instanceof Error ? `: ${cause.message}` : '';
        const message = `The body broke off after ${eventIndex} events${reason}`;
        throw new SpeechStreamError(message, { kind: 'body-failed', eventIndex, cause });
      });
      if (source.isLeft) return;
      for (const { name, data } of bytes ? parser.push(bytes) : parser.end()) {
        // The interface has no such event; ignoring it would turn a server's failure into a clean, short stream.
        if (name === 'error') throw errorEvent(data, eventIndex);
        if (name !== 'message') continue;
        if (data.trim() === endMarker) {
          // A body that continues after the end marker is cancelled.
          source.leave();
          return yield { type: 'end' };
        }
        for (const event of eventsIn(parsePayload(data, eventIndex), eventIndex, startedChunks)) {
          yield event;
          if (source.isLeft) return;
        }
        eventIndex += 1;
      }
      const { failure } = parser;
      if (failure) throw new SpeechStreamError(failure.message, { ...failure, eventIndex });
      if (bytes === undefined) return yield { type: 'end' };
    }
  } catch (error) {
    source.leave();
    throw error;
  }
}

const endMarker = '[DONE]';

/** One message of an event stream. */
interface Message {
  readonly name: string;
  readonly data: string;
}

/**
 * Turns bytes into messages, as the standard of server-sent events says, without parsing their data. The standard
 * ignores what it does not know; here a line whose field is not one word is a failure, because it is the text of a
 * gateway or of a crashed server that took the place of the rest. Libraries skip such a line unseen if it is cut.
 */
class MessageParser {
  readonly #maximumLength: number;
  // Removes a byte order mark at the beginning.
  readonly #decoder = new TextDecoder();
  /** An incomplete line in pieces: joining them for each read would take quadratic time. */
  #pieces: string[] = [];
  #pendingLength = 0;
  #endsInReturn = false;
  #name: string | undefined;
  #data: string | undefined;
  #messages: Message[] = [];
  /** Set when the stream cannot be read further; messages returned before are valid. */
  failure: (SpeechStreamErrorDetails & { readonly message: string }) | undefined;

  constructor(maximumLength: number) {
    this.#maximumLength = maximumLength;
  }

  /** The messages that these bytes complete, in order. */
  push(bytes: Uint8Array): Message[] {
    this.#messages = [];
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === '') return [];
    // A line may end with CR, LF or both, and the two may arrive separately.
    const endsInReturn = text.endsWith('\r');
    if (this.#endsInReturn && text.startsWith('\n')) text = text.slice(1);
    this.#endsInReturn = endsInReturn;
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
    const lines = text.split('\n');
    const unfinished = lines.pop() ?? '';
    for (const line of lines) {
      this.#takeLine(this.#pieces.length === 0 ? line : this.#pieces.join('') + line);
      this.#pieces = [];
      this.#pendingLength = 0;
      if (this.failure) return this.#messages;
    }
    if (unfinished !== '') this.#pieces.push(unfinished);
    this.#pendingLength += unfinished.length;
    this.#limit(this.#pendingLength);
    return this.#messages;
  }

  /** Called at the end of the body: an incomplete line or event is a failure. */
  end(): Message[] {
    this.#messages = [];
    const line = this.#pieces.join('') + this.#decoder.decode();
    if (line !== '') this.#takeLine(line);
    // Some servers write their end marker without the blank line that would complete it; nothing is lost there.
    if (this.failure || this.#data?.trim() === endMarker) return [];
    if (line !== '' || this.#data !== undefined || this.#name !== undefined) {
      const message = 'The body ended inside an event: the audio is not complete.';
      this.failure = { kind: 'truncated', message };
    }
    return [];
  }

  #takeLine(line: string): void {
    if (line === '') {
      if (this.#data !== undefined) this.#messages.push({ name: this.#name || 'message', data: this.#data });
      this.#name = undefined;
      this.#data = undefined;
      return;
    }
    const colon = line.indexOf(':');
    // This line is a comment.
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') {
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
      this.#limit(0);
    } else if (field === 'event') this.#name = value;
    else if (!/^[\w-]+$/.test(field)) {
      const message = `A line of the stream is not part of any event: ${line.length} characters, kept in error.body`;
      this.failure = { kind: 'foreign-text', message, body: line };
    }
  }

  #limit(pendingLength: number): void {
    // An incomplete line may contain its field name too.
    const allowance = pendingLength === 0 ? 0 : 'data: '.length;
    if ((this.#data?.length ?? 0) + pendingLength <= this.#maximumLength + allowance) return;
    const message = `An event is longer than ${this.#maximumLength} characters. Raise maximumEventLength if that is expected.`;
    this.failure = { kind: 'event-too-large', message };
  }
}

function eventsIn(wire: SpeechStreamEvent, eventIndex: number, startedChunks: Set<number>): SpeechEvent[] {
  const { chunk_seq, chunk_audio_offset_sec, content, alignment } = wire;
  const events: SpeechEvent[] = [{ type: 'audio-chunk', audio: audioOf(wire, eventIndex), wire }];
  if (!startedChunks.has(chunk_seq)) {
    startedChunks.add(chunk_seq);
    events.unshift({ type: 'chunk-start', chunk_seq, chunk_audio_offset_sec, content });
  }
  // A service that omits nulls has no snapshot yet either.
  if (alignment !== null && alignment !== undefined) {
    events.push({ type: 'alignment-update', chunk_seq, chunk_audio_offset_sec, content, alignment });
  }
  return events;
}

/** Fields outside the interface are kept and ignored. */
function parsePayload(data: string, eventIndex: number): SpeechStreamEvent {
  let payload: unknown;
  try {
    payload = JSON.parse(data);
  } catch {
    // The parser's error would quote the data.
    const message = `Event ${eventIndex} of the stream is not JSON: ${data.length} characters, kept in error.body`;
    throw new SpeechStreamError(message, { kind: 'malformed-json', eventIndex, body: data });
  }
  const { audio_base64, message, detail, error } = Object(payload);
  if (audio_base64 === undefined && (message ?? detail ?? error) !== undefined)
    throw errorEvent(data, eventIndex);
  requireFields(payload, '', payloadShape, eventIndex);
  const { alignment } = payload as Partial<SpeechStreamEvent>;
  if (alignment === null || alignment === undefined) return payload as SpeechStreamEvent;
  requireFields(alignment, '/alignment', alignmentShape, eventIndex);
  const { segments } = alignment;
  for (let index = 0; index < segments.length; index += 1) {
    // The quick check comes first: an alignment of an hour has some ten thousand segments.
    if (!isSegment(segments[index]))
      requireFields(segments[index], `/alignment/segments/${index}`, segmentShape, eventIndex);
  }
  return payload as SpeechStreamEvent;
}

/** The required type of each field of an object. */
type Shape = Readonly<Record<string, keyof typeof checks>>;

const checks = {
  'a string': (value: unknown) => typeof value === 'string',
  'a number': (value: unknown) => typeof value === 'number',
  'an integer': Number.isSafeInteger,
  'an array': Array.isArray,
};
const payloadShape: Shape = {
  audio_base64: 'a string',
  content: 'a string',
  chunk_audio_offset_sec: 'a number',
  chunk_seq: 'an integer',
};
const alignmentShape: Shape = { audio_duration: 'a number', segments: 'an array' };
const segmentShape: Shape = { text: 'a string', start: 'a number', end: 'a number' };

function isSegment(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { text, start, end } = value as Record<string, unknown>;
  return typeof text === 'string' && typeof start === 'number' && typeof end === 'number';
}

/** @throws SpeechStreamError `invalid-field` for the first field that is not as the interface says. */
function requireFields(value: unknown, place: string, shape: Shape, eventIndex: number): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidField(place, 'an object', value, eventIndex);
  for (const [name, expected] of Object.entries(shape)) {
    const field: unknown = value[name as keyof typeof value];
    if (!checks[expected](field)) throw invalidField(`${place}/${name}`, expected, field, eventIndex);
  }
}

function invalidField(
  field: string,
  expected: string,
  value: unknown,
  eventIndex: number,
): SpeechStreamError {
  const place = field === '' ? 'The payload' : `Field ${field}`;
  const words = value === undefined ? 'is missing' : `is ${describe(value)}`;
  const message = `${place} of event ${eventIndex} ${words}; the interface says ${expected}.`;
  return new SpeechStreamError(message, { kind: 'invalid-field', field, eventIndex });
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The error for an error event. Its text may quote the sent text. */
function errorEvent(data: string, eventIndex: number): SpeechStreamError {
  const message = `The service sent an error in the stream: ${data.length} characters after ${eventIndex} events, kept in error.body`;
  return new SpeechStreamError(message, { kind: 'error-event', eventIndex, body: data });
}

function audioOf({ audio_base64 }: SpeechStreamEvent, eventIndex: number): Uint8Array<ArrayBuffer> {
  try {
    return decodeBase64(audio_base64);
  } catch {
    const field = '/audio_base64';
    const message = `Field ${field} of event ${eventIndex} is not valid base64.`;
    throw new SpeechStreamError(message, { kind: 'invalid-base64', field, eventIndex });
  }
}

/** Decodes base64 with the means of the runtime: `Uint8Array.fromBase64`, `Buffer` of Node, or `atob`. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  const { Buffer } = globalThis as { readonly Buffer?: BufferLike };
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const expected = (text.length / 4) * 3 - padding;
  let bytes: Uint8Array<ArrayBuffer>;
  let decoded: number;
  if (Buffer && !fromBase64) {
    // The bytes get their own memory, outside the pool.
    bytes = new Uint8Array(expected);
    decoded = Buffer.from(bytes.buffer).write(text, 'base64');
  } else {
    bytes = fromBase64?.call(Uint8Array, text) ?? Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
    decoded = bytes.length;
  }
  // Decoders skip invalid base64 or stop there, so bytes would be missing.
  if (decoded !== expected) throw new SyntaxError('not base64');
  return bytes;
}

interface BufferLike {
  from(memory: ArrayBuffer): { write(text: string, encoding: 'base64'): number };
}

function ignore(): void {}

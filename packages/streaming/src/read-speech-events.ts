import type { SpeechStreamEvent } from '@speech-api/types';
import { type SpeechEvent, SpeechStreamError, type SpeechStreamErrorKind } from './events.ts';
import { type Body, joinPieces, leavable, Source } from './pieces.ts';
import { Timeline } from './timeline.ts';

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
  body: Body,
  { maximumEventLength = defaultMaximumEventLength }: ReadSpeechEventsOptions = {},
): AsyncIterableIterator<SpeechEvent, void, undefined> {
  if (readBodies.has(body) || ('locked' in body && body.locked)) {
    throw new SpeechStreamError('The body already has a reader; a stream can be read once.', {
      kind: 'already-read',
    });
  }
  readBodies.add(body);
  const source = new Source(body);
  return leavable(eventsOf(source, new SpeechEventParser(maximumEventLength)), () => source.leave());
}

/** A generator that was read would end again at once, as an empty stream that is complete. */
const readBodies = /* @__PURE__ */ new WeakSet<object>();

async function* eventsOf(
  source: Source,
  parser: SpeechEventParser,
): AsyncGenerator<SpeechEvent, void, undefined> {
  try {
    while (!parser.hasEnded) {
      const piece = await source.next().catch((cause: unknown) => {
        const reason = cause instanceof Error ? `: ${cause.message}` : '';
        throw parser.error('body-failed', `The body broke off after ${parser.eventCount} events${reason}`, {
          cause,
        });
      });
      if (source.isLeft) return;
      // Not `yield*`, which would wrap and await each of them.
      for (const event of piece ? parser.push(piece) : parser.end()) yield event;
    }
  } finally {
    source.leave();
  }
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
  return { audio: joinPieces(chunks), timeline };
}

const endMarker = '[DONE]';
const none: readonly SpeechEvent[] = [];

/**
 * Turns the bytes of a stream into events, without waiting for anything; `push` and `end` decode no event before it is
 * asked for.
 *
 * The lines are read as the standard of server-sent events says. It ignores what it does not know; here a line whose field
 * is not one word is a failure, because it is the text of a gateway or of a crashed server that took the place of the rest.
 * Libraries skip such a line unseen if it is cut.
 */
export class SpeechEventParser {
  readonly #maximumLength: number;
  // Removes a byte order mark at the beginning.
  readonly #decoder = new TextDecoder();
  /** An incomplete line in pieces: joining them for each read would take quadratic time. */
  #pieces: string[] = [];
  #pendingLength = 0;
  #endsInReturn = false;
  #name = '';
  #data: string | undefined;
  readonly #startedChunks = new Set<number>();
  /** The number of events that were read whole. */
  eventCount = 0;
  /** True after the end marker or the end of the body. */
  hasEnded = false;

  constructor(maximumLength: number = defaultMaximumEventLength) {
    this.#maximumLength = maximumLength;
  }

  /** The events that these bytes complete. @throws SpeechStreamError */
  *push(bytes: Uint8Array): Generator<SpeechEvent, void, undefined> {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === '') return;
    // A line may end with CR, LF or both, and the two may arrive separately.
    const endsInReturn = text.endsWith('\r');
    if (this.#endsInReturn && text.startsWith('\n')) text = text.slice(1);
    this.#endsInReturn = endsInReturn;
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      yield* this.#takeLine(this.#pieces.join('') + text.slice(start, end));
      if (this.hasEnded) return;
      start = end + 1;
      this.#pieces = [];
      this.#pendingLength = 0;
    }
    this.#pieces.push(text.slice(start));
    this.#pendingLength += text.length - start;
    this.#limit(this.#pendingLength);
  }

  /** The events at the end of the body. @throws SpeechStreamError in the middle of an event */
  *end(): Generator<SpeechEvent, void, undefined> {
    const line = this.#pieces.join('') + this.#decoder.decode();
    if (line !== '') this.#takeLine(line);
    // Some servers write their end marker without the blank line that would complete it; nothing is lost there.
    if (this.#data?.trim() !== endMarker && (line !== '' || this.#data !== undefined || this.#name !== '')) {
      throw this.error('truncated', 'The body ended inside an event: the audio is not complete.');
    }
    this.hasEnded = true;
    yield { type: 'end' };
  }

  /** Takes in a line. An empty one completes a message, whose events are returned. */
  #takeLine(line: string): readonly SpeechEvent[] {
    if (line === '') {
      const [name, data] = [this.#name || 'message', this.#data];
      this.#name = '';
      this.#data = undefined;
      return data === undefined ? none : this.#eventsOf(name, data);
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') {
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
      this.#limit(0);
    } else if (field === 'event') this.#name = value;
    // A line that begins with a colon is a comment.
    else if (!/^[\w-]*$/.test(field)) {
      const message = `A line of the stream is not part of any event: ${line.length} characters, kept in error.body`;
      throw this.error('foreign-text', message, { body: line });
    }
    return none;
  }

  #eventsOf(name: string, data: string): readonly SpeechEvent[] {
    // The interface has no such event; ignoring it would turn a server's failure into a clean, short stream.
    if (name === 'error') throw this.#errorEvent(data);
    if (name !== 'message') return none;
    if (data.trim() === endMarker) {
      this.hasEnded = true;
      return [{ type: 'end' }];
    }
    const wire = this.#payload(data);
    const { chunk_seq, chunk_audio_offset_sec, content, alignment } = wire;
    const events: SpeechEvent[] = [{ type: 'audio-chunk', audio: this.#audio(wire), wire }];
    if (!this.#startedChunks.has(chunk_seq)) {
      this.#startedChunks.add(chunk_seq);
      events.unshift({ type: 'chunk-start', chunk_seq, chunk_audio_offset_sec, content });
    }
    // A service that omits nulls has no snapshot yet either.
    if (alignment !== null && alignment !== undefined) {
      events.push({ type: 'alignment-update', chunk_seq, chunk_audio_offset_sec, content, alignment });
    }
    this.eventCount += 1;
    return events;
  }

  /** The payload of an event. Fields outside the interface are kept and ignored. */
  #payload(data: string): SpeechStreamEvent {
    let payload: unknown;
    try {
      payload = JSON.parse(data);
    } catch {
      // The parser's error would quote the data.
      const message = `Event ${this.eventCount} of the stream is not JSON: ${data.length} characters, kept in error.body`;
      throw this.error('malformed-json', message, { body: data });
    }
    const { audio_base64, message, detail, error } = Object(payload);
    if (audio_base64 === undefined && (message ?? detail ?? error) !== undefined)
      throw this.#errorEvent(data);
    const invalid = invalidField(payload);
    if (!invalid) return payload as SpeechStreamEvent;
    const { field, expected, value } = invalid;
    const place = field === '' ? 'The payload' : `Field ${field}`;
    const words = value === undefined ? 'is missing' : `is ${describe(value)}`;
    const sentence = `${place} of event ${this.eventCount} ${words}; the interface says ${expected}.`;
    throw this.error('invalid-field', sentence, { field });
  }

  #audio({ audio_base64 }: SpeechStreamEvent): Uint8Array<ArrayBuffer> {
    try {
      return decodeBase64(audio_base64);
    } catch {
      const field = '/audio_base64';
      const message = `Field ${field} of event ${this.eventCount} is not valid base64.`;
      throw this.error('invalid-base64', message, { field });
    }
  }

  #limit(pendingLength: number): void {
    // An incomplete line may contain its field name too.
    const allowance = pendingLength === 0 ? 0 : 'data: '.length;
    if ((this.#data?.length ?? 0) + pendingLength <= this.#maximumLength + allowance) return;
    const message = `An event is longer than ${this.#maximumLength} characters. Raise maximumEventLength if that is expected.`;
    throw this.error('event-too-large', message);
  }

  /** The error for an error event. Its text may quote the sent text. */
  #errorEvent(data: string): SpeechStreamError {
    const message = `The service sent an error in the stream: ${data.length} characters after ${this.eventCount} events, kept in error.body`;
    return this.error('error-event', message, { body: data });
  }

  /** An error of this stream, at its present place. */
  error(
    kind: SpeechStreamErrorKind,
    message: string,
    details?: Partial<SpeechStreamError>,
  ): SpeechStreamError {
    return new SpeechStreamError(message, { kind, eventIndex: this.eventCount, ...details });
  }
}

/** A field that is not as the interface says. */
interface InvalidField {
  readonly field: string;
  readonly expected: string;
  readonly value: unknown;
}

/** The first field of a payload that is not as the interface says. */
function invalidField(payload: unknown): InvalidField | undefined {
  const invalid = wrongField(payload, '', payloadShape);
  const { alignment } = Object(payload) as Partial<SpeechStreamEvent>;
  if (invalid || alignment === null || alignment === undefined) return invalid;
  const wrong = wrongField(alignment, '/alignment', alignmentShape);
  if (wrong) return wrong;
  const { segments } = alignment;
  // A loop over a quick check: an alignment of an hour has some ten thousand segments.
  for (let index = 0; index < segments.length; index += 1) {
    if (isSegment(segments[index])) continue;
    return wrongField(segments[index], `/alignment/segments/${index}`, segmentShape);
  }
  return undefined;
}

/** The required type of each field of an object. */
type Shape = readonly (readonly [name: string, expected: string, isRight: (value: unknown) => boolean])[];

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const payloadShape: Shape = [
  ['audio_base64', 'a string', isText],
  ['content', 'a string', isText],
  ['chunk_audio_offset_sec', 'a number', isNumber],
  ['chunk_seq', 'an integer', Number.isSafeInteger],
];
const alignmentShape: Shape = [
  ['audio_duration', 'a number', isNumber],
  ['segments', 'an array', Array.isArray],
];
const segmentShape: Shape = [
  ['text', 'a string', isText],
  ['start', 'a number', isNumber],
  ['end', 'a number', isNumber],
];

function isSegment(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { text, start, end } = value as Record<string, unknown>;
  return typeof text === 'string' && typeof start === 'number' && typeof end === 'number';
}

function wrongField(value: unknown, place: string, shape: Shape): InvalidField | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { field: place, expected: 'an object', value };
  for (const [name, expected, isRight] of shape) {
    const field: unknown = value[name as keyof typeof value];
    if (!isRight(field)) return { field: `${place}/${name}`, expected, value: field };
  }
  return undefined;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
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
    const memory = Buffer.allocUnsafeSlow(expected);
    decoded = memory.write(text, 'base64');
    bytes = new Uint8Array(memory.buffer);
  } else {
    bytes = fromBase64?.call(Uint8Array, text) ?? Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
    decoded = bytes.length;
  }
  // Decoders skip invalid base64 or stop there, so bytes would be missing.
  if (decoded !== expected) throw new SyntaxError('not base64');
  return bytes;
}

interface BufferLike {
  allocUnsafeSlow(
    length: number,
  ): Uint8Array<ArrayBuffer> & { write(text: string, encoding: 'base64'): number };
}

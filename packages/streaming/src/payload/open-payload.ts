import type { AlignmentSegment, SpeechStreamEvent } from '@speech-api/types';
import { errorEvent, SpeechStreamError, wordsOf } from '../errors.ts';
import { decodeBase64 } from './base64.ts';

/** The payload of one event. */
export interface OpenedPayload {
  /** As it was on the wire. */
  readonly wire: SpeechStreamEvent;
  readonly audio: Uint8Array<ArrayBuffer>;
}

// Shorter snapshots are parsed whole: that costs less than finding out what is new in them.
const minimumSharedLength = 1000;

/**
 * Opens the payloads of one stream, in order.
 *
 * Snapshots are cumulative: most of one is the text of the one before. That text is compared, and only
 * what follows it is parsed. Everything but the last segment counts as settled, because the last one is often corrected.
 *
 * The audio and the segments are replaced by a text that no stream can know. If parsing gives that text as the field,
 * and what follows the settled segments is the rest of a list, what was cut out is the value of that field. Whatever does
 * not fit, such as doubled keys, escapes in the audio or a bracket further behind, is parsed as it is on the wire.
 */
export class PayloadOpener {
  readonly #mark = String(Math.random());
  /** The text of the settled segments, from their opening bracket to before the next comma. */
  #prefix = '';
  /** Parsed from that text when the first snapshot continues it. */
  #settled: AlignmentSegment[] | undefined;

  /** @throws SpeechStreamError `malformed-json`, `invalid-field`, `invalid-base64` or `error-event`. */
  open(data: string, eventIndex: number): OpenedPayload {
    return this.#openInParts(data) ?? openWhole(data, eventIndex);
  }

  #openInParts(data: string): OpenedPayload | undefined {
    const begin = findValue(data, '"audio_base64"', '"') + 1;
    const end = data.indexOf('"', begin);
    if (begin === 0 || end < 0) return undefined;
    const audio_base64 = data.slice(begin, end);
    try {
      const audio = decodeBase64(audio_base64);
      // Most services write the alignment behind the audio; one that sorts the keys writes it before.
      const behind = findValue(data, '"segments"', '[', end);
      const start = behind < 0 ? findValue(data, '"segments"', '[') : behind;
      const close = data.lastIndexOf(']', start < begin ? begin : data.length);
      const textOf = (from: number, to = data.length): string =>
        from <= begin && end <= to
          ? data.slice(from, begin) + this.#mark + data.slice(end, to)
          : data.slice(from, to);
      const isNew = !this.#continues(data, start);
      const wire = isNew
        ? this.#parseNew(textOf(0), data, start, close)
        : this.#parseRest(`${textOf(0, start)}"${this.#mark}"${textOf(close + 1)}`, data, start, close);
      if (wire.audio_base64 !== this.#mark || faultOf(wire, isNew) !== undefined) return undefined;
      wire.audio_base64 = audio_base64;
      return { wire, audio };
    } catch {
      // It is written in an unusual way, or opened whole it fails with an error that says why.
      return undefined;
    }
  }

  /** True if the segments begin with the settled ones. */
  #continues(data: string, start: number): boolean {
    const { length } = this.#prefix;
    // Two slices are compared as memory; `String.prototype.startsWith` goes character by character.
    return start >= 0 && length > 0 && data.slice(start, start + length) === this.#prefix;
  }

  #parseNew(text: string, data: string, start: number, close: number): SpeechStreamEvent {
    const wire: SpeechStreamEvent = JSON.parse(text);
    const comma = lastComma(data, close);
    if (wire.alignment !== null && start >= 0 && comma - start >= minimumSharedLength) {
      this.#prefix = data.slice(start, comma);
      this.#settled = undefined;
    }
    return wire;
  }

  #parseRest(text: string, data: string, start: number, close: number): SpeechStreamEvent {
    const end = start + this.#prefix.length;
    this.#settled ??= parseSegments(`${this.#prefix}]`);
    const comma = Math.max(lastComma(data, close), end);
    const added = parseFurther(data.slice(end, comma));
    const last = parseFurther(data.slice(comma, close));
    const wire = JSON.parse(text);
    if (wire.alignment.segments !== this.#mark) throw new SyntaxError('the segments are elsewhere');
    for (const segment of added) this.#settled.push(segment);
    this.#prefix = data.slice(start, comma);
    wire.alignment.segments = this.#settled.concat(last);
    return wire;
  }
}

/** Position where the value of this key begins, if it begins as it should; else -1. */
function findValue(text: string, key: string, opening: string, from = 0): number {
  const at = text.indexOf(key, from);
  if (at < 0) return -1;
  const colon = skipSpace(text, at + key.length);
  const value = skipSpace(text, colon + 1);
  return text[colon] === ':' && text[value] === opening ? value : -1;
}

function skipSpace(text: string, from: number): number {
  let position = from;
  while (' \t\n\r'.includes(text[position] ?? 'end')) position += 1;
  return position;
}

/** The comma before the last object that begins before `end`. It may be inside a string: parsing what follows tells. */
function lastComma(text: string, end: number): number {
  return text.lastIndexOf(',', text.lastIndexOf('{', end - 1));
}

/** Parses segments that follow others: a list in which each begins with a comma. */
function parseFurther(text: string): AlignmentSegment[] {
  // A segment takes the place of those before, because more digits could be added to a number.
  return parseSegments(`[{"text":"","start":0,"end":0}${text}]`).slice(1);
}

function parseSegments(text: string): AlignmentSegment[] {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every(isSegment)) return list;
  throw new SyntaxError('not a list of segments');
}

function openWhole(data: string, eventIndex: number): OpenedPayload {
  const wire = parseWireEvent(data, eventIndex);
  try {
    return { wire, audio: decodeBase64(wire.audio_base64) };
  } catch (cause) {
    throw new SpeechStreamError(`Field /audio_base64 of event ${eventIndex} is not valid base64.`, {
      kind: 'invalid-base64',
      field: '/audio_base64',
      eventIndex,
      cause,
    });
  }
}

/**
 * Reads the data of one event as a payload. Fields that the interface does not name are kept and ignored.
 *
 * @throws SpeechStreamError `malformed-json`, `invalid-field` or `error-event`.
 */
export function parseWireEvent(data: string, eventIndex: number): SpeechStreamEvent {
  const payload: unknown = parseJson(data, eventIndex);
  const isObject = typeof payload === 'object' && !Array.isArray(payload);
  const { audio_base64 } = Object(payload) as { audio_base64?: unknown };
  if (isObject && audio_base64 === undefined && wordsOf(payload)) throw errorEvent(data, eventIndex);
  const fault = faultOf(payload);
  if (fault === undefined) return payload as SpeechStreamEvent;
  const [field, expected, value] = fault;
  const where = field === '' ? 'The payload' : `Field ${field}`;
  const found = value === undefined ? 'is missing' : `is ${describe(value)}`;
  throw new SpeechStreamError(`${where} of event ${eventIndex} ${found}; the interface says ${expected}.`, {
    kind: 'invalid-field',
    field,
    eventIndex,
  });
}

function parseJson(text: string, eventIndex: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SpeechStreamError(`Event ${eventIndex} of the stream is not JSON.`, {
      kind: 'malformed-json',
      eventIndex,
      cause,
    });
  }
}

/** A field that is not as the interface says: its place, what it should be, and what it is. */
type Fault = readonly [field: string, expected: string, value: unknown];

/** The expected type of each field of an object. */
type Shape = Readonly<Record<string, keyof typeof checks>>;

const checks = {
  'a string': (value: unknown) => typeof value === 'string',
  // 1e999 is JSON, and read as Infinity.
  'a number': Number.isFinite,
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

/**
 * The first fault of a payload. Null says "no snapshot yet"; a payload without `alignment` says nothing.
 *
 * @param isNew - False if the segments were checked before.
 */
function faultOf(payload: unknown, isNew = true): Fault | undefined {
  const fault = faultIn(payload, '', payloadShape);
  const { alignment } = Object(payload) as Partial<SpeechStreamEvent>;
  if (fault !== undefined || alignment === null) return fault;
  const ofAlignment = faultIn(alignment, '/alignment', alignmentShape);
  if (ofAlignment !== undefined || alignment === undefined || !isNew) return ofAlignment;
  const index = alignment.segments.findIndex((segment) => !isSegment(segment));
  if (index < 0) return undefined;
  return faultIn(alignment.segments[index], `/alignment/segments/${index}`, segmentShape);
}

function faultIn(value: unknown, place: string, shape: Shape): Fault | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [place, 'an object', value];
  for (const [name, expected] of Object.entries(shape)) {
    const field: unknown = value[name as keyof typeof value];
    if (!checks[expected](field)) return [`${place}/${name}`, expected, field];
  }
  return undefined;
}

/** True if all fields are valid, in one test: an alignment of an hour has some ten thousand segments. */
function isSegment(value: unknown): value is AlignmentSegment {
  if (typeof value !== 'object' || value === null) return false;
  const { text, start, end } = value as Record<string, unknown>;
  return typeof text === 'string' && Number.isFinite(start) && Number.isFinite(end);
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number out of range';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

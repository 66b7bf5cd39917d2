import type { Alignment, AlignmentSegment, SpeechStreamEvent } from '@speech-api/types';
import { errorEvent, SpeechStreamError, wordsOf } from '../errors.ts';
import { decodeBase64 } from './base64.ts';

/** The payload of one event. */
export interface OpenedPayload {
  /** As it was on the wire. */
  readonly wire: SpeechStreamEvent;
  readonly audio: Uint8Array<ArrayBuffer>;
}

/** The text of a payload, cut at its audio. */
interface Payload {
  readonly data: string;
  /** The text before the audio, and the placeholder. */
  readonly head: string;
  /** Position where `data` continues after the audio. */
  readonly rest: number;
  /** Position where the array of segments begins; -1 if there is none. */
  readonly start: number;
}

/** A snapshot that was parsed whole. */
interface WholeSnapshot {
  readonly payload: Payload;
  readonly segments: readonly AlignmentSegment[];
}

/** A payload whose segments were left out of the parsing. */
interface CutPayload {
  readonly wire: SpeechStreamEvent & { alignment: Alignment };
  /** Position of the bracket that closes the segments. */
  readonly close: number;
}

// Shorter snapshots are parsed whole: that costs less than finding out what is new in them.
const minimumSharedLength = 1000;
// A bracket in the text of a segment also looks like the end of the segments. After so many, parsing costs less.
const maximumAttempts = 8;

/**
 * Opens the payloads of one stream, in order.
 *
 * The audio is decoded from the text of the event and never parsed. Snapshots are cumulative (section 2.4): most of
 * one is the text of the one before. That text is compared, and only what follows it is parsed. Everything but the
 * last segment counts as settled, because the last one is often corrected. A snapshot that begins otherwise is parsed
 * whole.
 *
 * The audio is replaced by a number that no stream can know. If parsing gives that number as the field, the
 * text that was cut out is the value of that field. Whatever does not fit, such as doubled keys, escapes in
 * the audio and wrong types, is parsed again as it is on the wire.
 */
export class PayloadOpener {
  readonly #placeholder = Math.random();
  /** The latest whole snapshot, until another one seems to continue it. */
  #whole: WholeSnapshot | undefined;
  /** The text of the settled segments, from their opening bracket to before the next comma. */
  #prefix = '';
  #settled: AlignmentSegment[] = [];

  /** @throws SpeechStreamError `malformed-json`, `invalid-field` or `invalid-base64`. */
  open(data: string, eventIndex: number): OpenedPayload {
    return this.#openInParts(data) ?? openWhole(data, eventIndex);
  }

  #openInParts(data: string): OpenedPayload | undefined {
    const open = findValue(data, '"audio_base64"', '"') + 1;
    const close = open > 0 ? data.indexOf('"', open) : -1;
    if (close < 0) return undefined;
    const audio_base64 = data.slice(open, close);
    const audio = tryTo(() => decodeBase64(audio_base64));
    if (audio === undefined) return undefined;
    const head = `${data.slice(0, open - 1)} ${this.#placeholder} `;
    const start = findValue(data, '"segments"', '[', close);
    const payload: Payload = { data, head, rest: close + 1, start };
    const wire = (this.#continues(payload) && this.#parseRest(payload)) || this.#parse(payload);
    if (wire === undefined) return undefined;
    wire.audio_base64 = audio_base64;
    return { wire, audio };
  }

  #parse(payload: Payload): SpeechStreamEvent | undefined {
    const { data, head, rest, start } = payload;
    const wire = parseObject(head + data.slice(rest));
    if (wire?.audio_base64 !== this.#placeholder) return undefined;
    wire.audio_base64 = '';
    if (!isWireEvent(wire)) return undefined;
    if (wire.alignment !== null && start >= 0 && data.length - start >= minimumSharedLength) {
      this.#whole = { payload, segments: wire.alignment.segments };
      this.#prefix = '';
    }
    return wire;
  }

  /** True if the segments begin with the settled ones. */
  #continues({ data, start }: Payload): boolean {
    if (start < 0) return false;
    const whole = this.#whole;
    if (whole !== undefined) {
      // Three quarters tell new snapshots from continued ones, and do not reach beyond the segments.
      const { payload } = whole;
      const length = ((payload.data.length - payload.start) * 3) >> 2;
      if (!isSameText(payload.data, payload.start, data, start, length)) return false;
      this.#whole = undefined;
      this.#settle(whole);
    }
    return this.#prefix !== '' && data.slice(start, start + this.#prefix.length) === this.#prefix;
  }

  /** Finds the text of all segments but the last. */
  #settle({ payload, segments }: WholeSnapshot): void {
    const { data, start } = payload;
    const cut = this.#cutSegments(payload, start);
    if (cut === undefined) return;
    const comma = lastComma(data, cut.close);
    if (comma <= start || parseFurther(data.slice(comma, cut.close))?.length !== 1) return;
    this.#prefix = data.slice(start, comma);
    this.#settled = segments.slice(0, -1);
  }

  /** Parses a payload whose segments begin with the settled ones. */
  #parseRest(payload: Payload): SpeechStreamEvent | undefined {
    const { data, start } = payload;
    const end = start + this.#prefix.length;
    const cut = this.#cutSegments(payload, end);
    if (cut === undefined) return undefined;
    const comma = Math.max(lastComma(data, cut.close), end);
    const added = parseFurther(data.slice(end, comma));
    const last = parseFurther(data.slice(comma, cut.close));
    if (added === undefined || last === undefined) return undefined;
    for (const segment of added) this.#settled.push(segment);
    this.#prefix = data.slice(start, comma);
    cut.wire.alignment.segments = this.#settled.concat(last);
    return cut.wire;
  }

  /**
   * Parses a payload with the placeholder for its segments.
   *
   * The first bracket after which the rest can be parsed closes the segments: a bracket inside a string would leave
   * an odd number of quotes, one inside a segment too few brackets.
   */
  #cutSegments({ data, head, rest, start }: Payload, from: number): CutPayload | undefined {
    const before = `${head}${data.slice(rest, start)} ${this.#placeholder} `;
    let close = from - 1;
    for (let attempt = 0; attempt < maximumAttempts; attempt++) {
      close = data.indexOf(']', close + 1);
      if (close < 0) return undefined;
      const wire = parseObject(before + data.slice(close + 1));
      if (wire === undefined) continue;
      const alignment = wire.alignment as Partial<Record<string, unknown>> | null | undefined;
      if (wire.audio_base64 !== this.#placeholder || alignment?.segments !== this.#placeholder)
        return undefined;
      wire.audio_base64 = '';
      alignment.segments = [];
      return isWireEvent(wire) && wire.alignment !== null
        ? { wire: wire as CutPayload['wire'], close }
        : undefined;
    }
    return undefined;
  }
}

/** Position where the value of this key begins, if it begins as it should; else -1. */
function findValue(text: string, key: string, opening: string, from = 0): number {
  const at = text.indexOf(key, from);
  if (at < 0) return -1;
  const colon = skipSpace(text, at + key.length);
  if (text[colon] !== ':') return -1;
  const value = skipSpace(text, colon + 1);
  return text[value] === opening ? value : -1;
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
function parseFurther(text: string): AlignmentSegment[] | undefined {
  if (text === '') return [];
  // An object takes the place of those before, because more digits could be added to a number.
  const list = tryTo(() => JSON.parse(`[{}${text}]`) as unknown);
  if (!Array.isArray(list)) return undefined;
  list.shift();
  return list.every(isSegment) ? list : undefined;
}

function parseObject(text: string): Partial<Record<string, unknown>> | undefined {
  const value = tryTo(() => JSON.parse(text) as unknown);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function tryTo<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function isSameText(
  one: string,
  oneStart: number,
  other: string,
  otherStart: number,
  length: number,
): boolean {
  // Two slices are compared as memory; `String.prototype.startsWith` goes character by character.
  return one.slice(oneStart, oneStart + length) === other.slice(otherStart, otherStart + length);
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
 * Reads the data of one event as the payload of section 2.4. Fields beyond it are kept and ignored.
 *
 * @throws SpeechStreamError `malformed-json`, `invalid-field` or `error-event`.
 */
export function parseWireEvent(data: string, eventIndex: number): SpeechStreamEvent {
  const payload: unknown = parseJson(data, eventIndex);
  const { audio_base64 } = Object(payload) as { audio_base64?: unknown };
  const words = audio_base64 === undefined && !Array.isArray(payload) ? wordsOf(payload) : undefined;
  if (words !== undefined && typeof payload === 'object') throw errorEvent(words, eventIndex, data);
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

/** True if {@link parseWireEvent} accepts a payload. */
const isWireEvent = (payload: object): payload is SpeechStreamEvent => faultOf(payload) === undefined;

/** A field that is not as the interface says: its place, what it should be, and what it is. */
type Fault = readonly [field: string, expected: string, value: unknown];

/** The expected type of each field of an object. */
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

/** The first fault of a payload. Null says "no snapshot yet"; a payload without `alignment` says nothing. */
function faultOf(payload: unknown): Fault | undefined {
  const fault = faultIn(payload, '', payloadShape);
  const { alignment } = Object(payload) as Partial<SpeechStreamEvent>;
  if (fault !== undefined || alignment === null) return fault;
  const ofAlignment = faultIn(alignment, '/alignment', alignmentShape);
  if (ofAlignment !== undefined || alignment === undefined) return ofAlignment;
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
  return typeof text === 'string' && typeof start === 'number' && typeof end === 'number';
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

import type { Alignment, AlignmentSegment, SpeechStreamEvent } from '@speech-api/types';
import { SpeechStreamError } from '../errors.ts';

/**
 * Reads the data of one event as the payload of section 2.4. Fields beyond it are kept and ignored.
 *
 * @throws SpeechStreamError `malformed-json` or `invalid-field`.
 */
export function parseWireEvent(data: string, eventIndex: number): SpeechStreamEvent {
  const payload = object(parseJson(data, eventIndex), '', eventIndex);
  expectType(payload, 'audio_base64', 'string', '', eventIndex);
  expectType(payload, 'content', 'string', '', eventIndex);
  expectType(payload, 'chunk_audio_offset_sec', 'number', '', eventIndex);
  if (!Number.isSafeInteger(payload.chunk_seq)) {
    throw invalid('/chunk_seq', 'an integer', payload.chunk_seq, eventIndex);
  }
  // Null says "no snapshot yet"; a payload without the field says nothing and is not what section 2.4 promises.
  if (payload.alignment !== null) {
    const alignment = object(payload.alignment, '/alignment', eventIndex);
    expectType(alignment, 'audio_duration', 'number', '/alignment', eventIndex);
    const { segments } = alignment;
    if (!Array.isArray(segments)) throw invalid('/alignment/segments', 'an array', segments, eventIndex);
    for (let index = 0; index < segments.length; index++) {
      const segment: unknown = segments[index];
      if (isSegment(segment)) continue;
      const pointer = `/alignment/segments/${index}`;
      const fields = object(segment, pointer, eventIndex);
      expectType(fields, 'text', 'string', pointer, eventIndex);
      expectType(fields, 'start', 'number', pointer, eventIndex);
      expectType(fields, 'end', 'number', pointer, eventIndex);
    }
  }
  return payload as SpeechStreamEvent;
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

/** Whether a payload is what {@link parseWireEvent} accepts. */
export function isWireEvent(payload: object): payload is SpeechStreamEvent {
  const { audio_base64, content, alignment, chunk_seq, chunk_audio_offset_sec } = payload as Partial<
    Record<keyof SpeechStreamEvent, unknown>
  >;
  return (
    typeof audio_base64 === 'string' &&
    typeof content === 'string' &&
    typeof chunk_audio_offset_sec === 'number' &&
    Number.isSafeInteger(chunk_seq) &&
    (alignment === null || isAlignment(alignment))
  );
}

function isAlignment(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { audio_duration, segments } = value as Partial<Record<keyof Alignment, unknown>>;
  return typeof audio_duration === 'number' && Array.isArray(segments) && segments.every(isSegment);
}

/** Whether all fields are right, in one test: an alignment of an hour has some ten thousand segments. */
export function isSegment(value: unknown): value is AlignmentSegment {
  if (typeof value !== 'object' || value === null) return false;
  const { text, start, end } = value as Record<string, unknown>;
  return typeof text === 'string' && typeof start === 'number' && typeof end === 'number';
}

function object(value: unknown, pointer: string, eventIndex: number): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalid(pointer, 'an object', value, eventIndex);
}

function expectType(
  fields: Record<string, unknown>,
  name: string,
  type: 'string' | 'number',
  parent: string,
  eventIndex: number,
): void {
  if (typeof fields[name] !== type) throw invalid(`${parent}/${name}`, `a ${type}`, fields[name], eventIndex);
}

function invalid(pointer: string, expected: string, value: unknown, eventIndex: number): SpeechStreamError {
  const where = pointer === '' ? 'The payload' : `Field ${pointer}`;
  const found = value === undefined ? 'is missing' : `is ${describe(value)}`;
  return new SpeechStreamError(`${where} of event ${eventIndex} ${found}; section 2.4 says ${expected}.`, {
    kind: 'invalid-field',
    field: pointer,
    eventIndex,
  });
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

import { isUtf8 } from 'node:buffer';
import { decodeBase64 } from '../audio/audio-facts.ts';
import { isObject } from '../specification/document.ts';
import { type Answer, type DecodedJson, decodeJsonText } from './answer.ts';
import { type AskedAudio, type JudgedAudio, numberOr, readAskedAudio, readAudio } from './judged-audio.ts';

/** One stream with timestamps. */
export interface Timestamps {
  readonly answer: Answer;
  readonly raw: RawStream;
  readonly events: readonly TimedEvent[];
  /** True if the body ended as its transfer coding requires. */
  readonly isWhole: boolean;
  readonly asked: AskedAudio | undefined;
  /** The joined audio; undefined if there is none. */
  readonly audio: JudgedAudio | undefined;
}

/** An event with the fields that have the right type; the others are judged as fields. */
export interface TimedEvent {
  readonly index: number;
  readonly base64: string | undefined;
  /** Undefined if it is not base64. */
  readonly audio: Uint8Array | undefined;
  readonly content: string | undefined;
  /** Undefined if it is neither an alignment nor null. */
  readonly alignment: TimedAlignment | null | undefined;
  readonly chunkSeq: number | undefined;
  readonly offset: number | undefined;
}

export interface TimedAlignment {
  readonly duration: number;
  readonly segments: readonly TimedSegment[];
}

export interface TimedSegment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export async function readTimestamps(answer: Answer): Promise<Timestamps> {
  const raw = readStream(answer.body);
  const events = raw.events.flatMap(({ index, payload }) =>
    'value' in payload && isObject(payload.value) ? [readEvent(index, payload.value)] : [],
  );
  const asked = readAskedAudio(answer.asked.body);
  const chunks = events.flatMap(({ audio }) => (audio === undefined ? [] : [audio]));
  const audio = chunks.length === 0 ? undefined : await readAudio(Buffer.concat(chunks), asked);
  return { answer, raw, events, isWhole: answer.exchange.response.ended === 'complete', asked, audio };
}

function readEvent(index: number, payload: Readonly<Record<string, unknown>>): TimedEvent {
  const { audio_base64, content, alignment, chunk_seq, chunk_audio_offset_sec } = payload;
  const base64 = textOr(audio_base64);
  return {
    index,
    base64,
    audio: base64 === undefined ? undefined : decodeBase64(base64),
    content: textOr(content),
    alignment: alignment === null ? null : readAlignment(alignment),
    chunkSeq: numberOr(chunk_seq, undefined),
    offset: numberOr(chunk_audio_offset_sec, undefined),
  };
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readAlignment(value: unknown): TimedAlignment | undefined {
  if (!isObject(value) || typeof value.audio_duration !== 'number' || !Array.isArray(value.segments))
    return undefined;
  const segments = value.segments.filter(isSegment);
  return segments.length === value.segments.length ? { duration: value.audio_duration, segments } : undefined;
}

export function isSegment(value: unknown): value is TimedSegment {
  return (
    isObject(value) &&
    typeof value.text === 'string' &&
    typeof value.start === 'number' &&
    typeof value.end === 'number'
  );
}

/**
 * The longest snapshot of each chunk in the order of the chunks: the latest one, if snapshots are cumulative.
 * Another rule reports a shrinking snapshot.
 */
export function wholeSnapshots(events: readonly TimedEvent[]): readonly Snapshot[] {
  const latest = new Map<number, Snapshot>();
  for (const { chunkSeq, offset, alignment, index } of events) {
    if (chunkSeq === undefined || offset === undefined || !alignment) continue;
    const before = latest.get(chunkSeq);
    if (before !== undefined && before.alignment.duration > alignment.duration) continue;
    latest.set(chunkSeq, { chunkSeq, offset, alignment, index });
  }
  return [...latest.values()].sort((first, second) => first.chunkSeq - second.chunkSeq);
}

interface Snapshot {
  readonly chunkSeq: number;
  readonly offset: number;
  readonly alignment: TimedAlignment;
  readonly index: number;
}

/** Describes the first segment out of order; undefined if there is none. */
export function disorderOf(
  segments: readonly TimedSegment[],
): { message: string; index: number } | undefined {
  for (const [index, { start, end }] of segments.entries()) {
    const ahead = segments[index - 1]?.start ?? start;
    const begins = `segment ${index} starts at ${start}`;
    if (start < 0) return { message: `${begins}, before zero`, index };
    if (end < start)
      return { message: `segment ${index} ends at ${end}, before it starts at ${start}`, index };
    if (start < ahead) return { message: `${begins}, before the one ahead of it at ${ahead}`, index };
  }
  return undefined;
}

/** The first segment that ends after this many seconds. */
export function beyond(segments: readonly TimedSegment[], seconds: number) {
  return segments.map(({ end }, index) => ({ index, end })).find(({ end }) => end > seconds);
}

/** One event of a stream, exactly as in the body. Errors are kept, so that they can be reported. */
interface RawEvent {
  /** From 0, in the order of arrival. The end marker does not count. */
  readonly index: number;
  /** All lines without their line ends. */
  readonly lines: readonly string[];
  readonly dataLines: readonly string[];
  /** The event name; `message` if none was sent. */
  readonly name: string;
  /** The data as JSON. */
  readonly payload: DecodedJson;
}

export interface RawStream {
  readonly events: readonly RawEvent[];
  /** True if `[DONE]` was received. */
  readonly hasEndMarker: boolean;
  /** Lines that are not data: comments, ids, retry times. */
  readonly otherLines: readonly string[];
  /** Number of blocks without a data line. */
  readonly blocksWithoutData: number;
  /** The text after the last blank line. */
  readonly rest: string;
  /** True if the whole body is valid UTF-8. */
  readonly isUtf8: boolean;
}

const endMarker = '[DONE]';

/** Cuts the body of a stream into events. A line ends with LF, CR or CRLF; an event ends with a blank line. */
export function readStream(body: Uint8Array): RawStream {
  const text = Buffer.from(body)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const lines = text.split(/\r\n|\n|\r/);
  // The text after the last line end is not a complete line yet.
  const rest = lines.pop() ?? '';
  const events: RawEvent[] = [];
  const otherLines: string[] = [];
  let hasEndMarker = false;
  let blocksWithoutData = 0;
  let block: string[] = [];
  for (const line of lines) {
    if (line !== '') {
      block.push(line);
    } else if (block.length > 0) {
      const read = readBlock(block, events.length);
      otherLines.push(...block.filter((line) => !/^(data|event)(:|$)/.test(line)));
      if (read === undefined) blocksWithoutData += block.some((line) => !line.startsWith(':')) ? 1 : 0;
      else if (read.dataLines.join('\n').trim() === endMarker) hasEndMarker = true;
      else events.push(read);
      block = [];
    }
  }
  return {
    events,
    hasEndMarker,
    otherLines,
    blocksWithoutData,
    rest: [...block, rest].join('\n'),
    isUtf8: isUtf8(body),
  };
}

function readBlock(lines: readonly string[], index: number): RawEvent | undefined {
  const dataLines = lines
    .filter((line) => /^data(:|$)/.test(line))
    .map((line) => line.slice(5).replace(/^ /, ''));
  if (dataLines.length === 0) return undefined;
  const name = lines
    .findLast((line) => line.startsWith('event:'))
    ?.slice(6)
    .replace(/^ /, '');
  return {
    index,
    lines,
    dataLines,
    name: name === undefined || name === '' ? 'message' : name,
    payload: decodeJsonText(dataLines.join('\n')),
  };
}

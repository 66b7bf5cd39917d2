import { decodeBase64 } from '../audio/audio-facts.ts';
import { isObject } from '../specification/document.ts';
import type { Answer } from './answer.ts';
import type { AskedAudio, JudgedAudio } from './judged-audio.ts';
import { type RawStream, readStream } from './read-stream.ts';

/** One stream with timestamps. */
export interface Timestamps {
  readonly answer: Answer;
  readonly raw: RawStream;
  readonly events: readonly TimedEvent[];
  /** The body ended as its transfer coding says. */
  readonly isWhole: boolean;
  readonly asked?: AskedAudio;
  /** The joined audio; `undefined` when there is none. */
  readonly audio?: JudgedAudio;
}

/** An event as far as its fields have their types; the others are judged as fields. */
interface TimedEvent {
  readonly index: number;
  readonly base64: string | undefined;
  /** `undefined` when it is not base64. */
  readonly audio: Uint8Array | undefined;
  readonly content: string | undefined;
  /** `undefined` when it is neither an alignment nor null. */
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

export function readTimestamps(answer: Answer): Timestamps {
  const raw = readStream(answer.body);
  const events = raw.events.flatMap(({ index, payload }) =>
    'value' in payload && isObject(payload.value) ? [readEvent(index, payload.value)] : [],
  );
  return { answer, raw, events, isWhole: answer.exchange.response.ended === 'complete' };
}

function readEvent(index: number, payload: Readonly<Record<string, unknown>>): TimedEvent {
  const {
    audio_base64: base64,
    content,
    alignment,
    chunk_seq: chunkSeq,
    chunk_audio_offset_sec: offset,
  } = payload;
  return {
    index,
    base64: typeof base64 === 'string' ? base64 : undefined,
    audio: typeof base64 === 'string' ? decodeBase64(base64) : undefined,
    content: typeof content === 'string' ? content : undefined,
    alignment: alignment === null ? null : readAlignment(alignment),
    chunkSeq: typeof chunkSeq === 'number' ? chunkSeq : undefined,
    offset: typeof offset === 'number' ? offset : undefined,
  };
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
 * The longest snapshot of each chunk in the order of the chunks: the latest one, where snapshots are cumulative.
 * Another rule reports one that gets shorter.
 */
export function wholeSnapshots(events: readonly TimedEvent[]): readonly Snapshot[] {
  const latest = new Map<number, Snapshot>();
  for (const { chunkSeq, offset, alignment, index } of events) {
    if (chunkSeq === undefined || offset === undefined || !alignment) continue;
    const before = latest.get(chunkSeq);
    if (before !== undefined && before.alignment.duration > alignment.duration) continue;
    latest.set(chunkSeq, { chunkSeq, offset, alignment, index });
  }
  return [...latest.values()].sort((one, other) => one.chunkSeq - other.chunkSeq);
}

interface Snapshot {
  readonly chunkSeq: number;
  readonly offset: number;
  readonly alignment: TimedAlignment;
  readonly index: number;
}

/** Describes the first segment that is out of order; `undefined` when all are in order. */
export function disorderOf(
  segments: readonly TimedSegment[],
): { message: string; index: number } | undefined {
  for (const [index, { start, end }] of segments.entries()) {
    if (start < 0) return { message: `segment ${index} starts at ${start}, before zero`, index };
    if (end < start)
      return { message: `segment ${index} ends at ${end}, before it starts at ${start}`, index };
    const ahead = segments[index - 1];
    if (ahead !== undefined && start < ahead.start) {
      return {
        message: `segment ${index} starts at ${start}, before the one ahead of it at ${ahead.start}`,
        index,
      };
    }
  }
  return undefined;
}

/** The first segment that ends after so many seconds. */
export function beyond(segments: readonly TimedSegment[], seconds: number): number | undefined {
  const index = segments.findIndex(({ end }) => end > seconds);
  return index < 0 ? undefined : index;
}

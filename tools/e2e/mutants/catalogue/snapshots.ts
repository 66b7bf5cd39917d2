import type { StreamEvent } from '../change/events.ts';
import type { AnswerChange } from './interferences.ts';
import { events, type StreamBreak } from './stream-break.ts';

type Snapshot = NonNullable<StreamEvent['alignment']>;

/** Changes every snapshot, in the order they came. */
const eachSnapshot = (
  change: (snapshot: Snapshot, event: StreamEvent, earlier: readonly Snapshot[]) => Snapshot,
): AnswerChange =>
  events((all) => {
    const earlier: Snapshot[] = [];
    return all.map((event) => {
      if (event.alignment === null) return event;
      const changed = change(event.alignment, event, earlier);
      earlier.push(event.alignment);
      return { ...event, alignment: changed };
    });
  });

type Segment = Snapshot['segments'][number];

const eachSegment = (change: (segment: Segment, event: StreamEvent) => Segment): AnswerChange =>
  eachSnapshot((snapshot, event) => ({
    ...snapshot,
    segments: snapshot.segments.map((segment) => change(segment, event)),
  }));

/** What events say of words and their times, broken. */
export const snapshots: readonly StreamBreak[] = [
  {
    words: 'snapshots hold only what is new',
    topic: 'success',
    rules: ['snapshot-covers-the-last-one'],
    change: eachSnapshot((snapshot, _event, earlier) => ({
      ...snapshot,
      segments: snapshot.segments.slice(earlier.at(-1)?.segments.length ?? 0),
    })),
  },
  {
    words: 'snapshots are appended to the ones before',
    topic: 'success',
    rules: ['segments-in-order'],
    change: eachSnapshot((snapshot, _event, earlier) => ({
      ...snapshot,
      segments: [...earlier.flatMap(({ segments }) => segments), ...snapshot.segments],
    })),
  },
  {
    words: 'a snapshot lasts less than the one before',
    topic: 'success',
    rules: ['snapshot-covers-the-last-one'],
    change: eachSnapshot((snapshot, _event, earlier) => ({
      ...snapshot,
      audio_duration: Math.max(0.1, snapshot.audio_duration - earlier.length),
    })),
  },
  {
    words: 'the last snapshot has lost a segment',
    topic: 'success',
    rules: ['snapshot-covers-the-last-one'],
    change: events((all) => {
      const last = all.findLastIndex(({ alignment }) => alignment !== null);
      return all.map((event, index) =>
        index === last && event.alignment !== null
          ? {
              ...event,
              // The same twice, so that there is one before it to fall behind.
              alignment: { ...event.alignment, segments: event.alignment.segments.slice(0, 1) },
            }
          : event,
      );
    }),
  },
  {
    words: 'segments end before they start',
    topic: 'success',
    rules: ['segments-in-order'],
    change: eachSegment((segment) => ({ ...segment, start: segment.end, end: segment.start })),
  },
  {
    words: 'segments come in the other order',
    topic: 'success',
    rules: ['segments-in-order'],
    change: eachSnapshot((snapshot) => ({ ...snapshot, segments: snapshot.segments.toReversed() })),
  },
  {
    words: 'segment times are in milliseconds',
    topic: 'success',
    rules: ['segments-in-order'],
    change: eachSegment(({ text: words, start, end }) => ({
      text: words,
      start: start * 1000,
      end: end * 1000,
    })),
  },
  {
    words: 'segment times are in the full audio, not in their chunk',
    topic: 'long stream',
    rules: ['segments-in-order'],
    change: eachSegment((segment, { chunk_audio_offset_sec: offset }) => ({
      ...segment,
      start: segment.start + offset,
      end: segment.end + offset,
    })),
  },
  {
    words: 'a segment starts before zero',
    topic: 'success',
    rules: ['segments-have-text', 'segments-in-order'],
    change: eachSegment((segment) => ({ ...segment, start: segment.start - 1 })),
  },
  {
    words: 'segments without their text',
    topic: 'success',
    rules: ['segments-have-text'],
    change: eachSegment((segment) => ({ ...segment, text: '' })),
  },
  {
    words: 'audio_duration is in milliseconds',
    topic: 'success',
    rules: ['alignment-covers-the-audio', 'offset-follows-the-chunks'],
    change: eachSnapshot((snapshot) => ({ ...snapshot, audio_duration: snapshot.audio_duration * 1000 })),
  },
  {
    words: 'audio_duration is a second too long',
    topic: 'success',
    rules: ['alignment-covers-the-audio', 'offset-follows-the-chunks'],
    change: eachSnapshot((snapshot) => ({ ...snapshot, audio_duration: snapshot.audio_duration + 1 })),
  },
  {
    words: 'audio_duration is that of the speech before the last word',
    topic: 'success',
    rules: ['segments-in-order'],
    change: eachSnapshot((snapshot) => ({
      ...snapshot,
      audio_duration: snapshot.segments.at(-1)?.start ?? snapshot.audio_duration,
    })),
  },
  {
    words: 'no snapshot ever comes',
    topic: 'success',
    rules: ['stream-tells-times'],
    change: events((all) => all.map((event) => ({ ...event, alignment: null }))),
  },
  {
    words: 'every segment is at zero',
    topic: 'success',
    rules: ['times-are-told'],
    change: eachSegment((segment) => ({ ...segment, start: 0, end: 0 })),
  },
  {
    words: 'every segment has the same word',
    topic: 'formats',
    rules: ['words-are-spoken'],
    change: eachSegment((segment) => ({ ...segment, text: 'word' })),
  },
  {
    words: 'half of the text is spoken, and the contents say so',
    topic: 'formats',
    rules: ['words-are-spoken'],
    change: events((all) =>
      all.map((event) => ({ ...event, content: event.content.slice(0, event.content.length >> 1) })),
    ),
  },
  {
    words: 'snapshots without segments',
    topic: 'success',
    rules: ['stream-tells-times'],
    change: eachSnapshot((snapshot) => ({ ...snapshot, segments: [] })),
  },
];

/** The numbers, offsets and contents of chunks, broken. */
export const chunks: readonly StreamBreak[] = [
  {
    words: 'the offset is zero for every chunk',
    topic: 'long stream',
    rules: ['offset-follows-the-chunks'],
    change: events((all) => all.map((event) => ({ ...event, chunk_audio_offset_sec: 0 }))),
  },
  {
    words: 'the offset falls',
    topic: 'long stream',
    rules: ['offset-does-not-decrease'],
    change: events((all) =>
      all.map((event) => ({ ...event, chunk_audio_offset_sec: 100 - event.chunk_audio_offset_sec })),
    ),
  },
  {
    words: 'the offset is in milliseconds',
    topic: 'long stream',
    rules: ['offset-follows-the-chunks'],
    change: events((all) =>
      all.map((event) => ({ ...event, chunk_audio_offset_sec: event.chunk_audio_offset_sec * 1000 })),
    ),
  },
  {
    words: 'the offset grows within a chunk',
    topic: 'success',
    rules: ['offset-belongs-to-the-chunk'],
    change: events((all) => all.map((event, index) => ({ ...event, chunk_audio_offset_sec: index }))),
  },
  {
    words: 'the first chunk starts after a second',
    topic: 'success',
    rules: ['offset-follows-the-chunks'],
    change: events((all) =>
      all.map((event) => ({ ...event, chunk_audio_offset_sec: event.chunk_audio_offset_sec + 1 })),
    ),
  },
  {
    words: 'the number of the chunk falls',
    topic: 'long stream',
    rules: ['chunk-seq-does-not-decrease'],
    change: events((all) => all.map((event) => ({ ...event, chunk_seq: 5 - event.chunk_seq }))),
  },
  {
    words: 'chunks are counted from one',
    topic: 'success',
    rules: ['chunk-seq-has-no-gaps'],
    change: events((all) => all.map((event) => ({ ...event, chunk_seq: event.chunk_seq + 1 }))),
  },
  {
    words: 'every second number of a chunk is left out',
    topic: 'long stream',
    rules: ['chunk-seq-has-no-gaps'],
    change: events((all) => all.map((event) => ({ ...event, chunk_seq: event.chunk_seq * 2 }))),
  },
  {
    words: 'every event is a chunk of its own',
    topic: 'success',
    rules: ['offset-follows-the-chunks', 'alignment-covers-the-audio'],
    change: events((all) => all.map((event, index) => ({ ...event, chunk_seq: index }))),
  },
  {
    words: 'all chunks have one number',
    topic: 'long stream',
    rules: ['offset-belongs-to-the-chunk', 'content-belongs-to-the-chunk'],
    change: events((all) => all.map((event) => ({ ...event, chunk_seq: 0 }))),
  },
  {
    words: 'the content changes within a chunk',
    topic: 'success',
    rules: ['content-belongs-to-the-chunk'],
    change: events((all) => all.map((event, index) => ({ ...event, content: `${event.content} ${index}` }))),
  },
  {
    words: 'the content is empty',
    topic: 'success',
    rules: ['content-belongs-to-the-chunk'],
    change: events((all) => all.map((event) => ({ ...event, content: '' }))),
  },
];

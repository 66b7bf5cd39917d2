import { type StreamEvent, withEvents, withJoinedAudio, withText } from '../change/events.ts';
import { withFields } from '../change/request.ts';
import type { Kind, Mutant, Topic } from '../mutant.ts';
import { formatOf } from './audio.ts';
import { audioBreaks } from './broken-audio.ts';
import { type AnswerChange, onSuccess, textAnswer } from './interferences.ts';

const operation = 'streamSpeechWithTimestamps';

interface StreamBreak {
  /** @defaultValue 'stream' */
  readonly kind?: Kind;
  readonly words: string;
  readonly topic: Topic;
  readonly rules: readonly string[];
  readonly change: AnswerChange;
}

/** Streams whose events are out of order, missing, repeated, or say what cannot be. */
export function streams(): Mutant[] {
  const breaks = [...framing, ...order, ...payloads, ...snapshots, ...chunks, ...joinedAudio()];
  return [
    ...breaks.map(
      ({ kind = 'stream', words, topic, rules, change }): Mutant => ({
        id: `${operation}: ${words}`,
        kind,
        operation,
        topic,
        rules,
        interference: { answer: onSuccess(change) },
      }),
    ),
    otherFormat,
  ];
}

const events =
  (change: (events: StreamEvent[]) => readonly unknown[]): AnswerChange =>
  (answer) =>
    withEvents(answer, change);

const text =
  (change: (blocks: string[]) => readonly string[]): AnswerChange =>
  (answer) =>
    withText(answer, change);

/** Changes the event in the middle. */
const middle = (change: (event: StreamEvent) => unknown): AnswerChange =>
  events((all) => all.map((event, index) => (index === all.length >> 1 ? change(event) : event)));

/** Changes the text of the event in the middle. */
const middleText = (change: (block: string) => string): AnswerChange =>
  text((all) => all.map((block, index) => (index === all.length >> 1 ? change(block) : block)));

const framing: readonly StreamBreak[] = [
  {
    words: 'two payloads in one event',
    topic: 'success',
    rules: ['one-payload-an-event', 'body-decodes'],
    change: text(([first = '', second = '', ...rest]) => [first + second.slice('data: '.length), ...rest]),
  },
  {
    words: 'two payloads in one event, as a list',
    topic: 'success',
    rules: ['one-payload-an-event', 'field-type'],
    change: events(([first, second, ...rest]) => [[first, second], ...rest]),
  },
  {
    words: 'a payload over several data lines',
    topic: 'success',
    rules: ['one-payload-an-event'],
    change: middleText((block) =>
      JSON.stringify(JSON.parse(block.slice('data: '.length)), null, 1)
        .split('\n')
        .map((line) => `data: ${line}`)
        .join('\n'),
    ),
  },
  {
    words: 'a data line too many',
    topic: 'success',
    rules: ['one-payload-an-event'],
    change: middleText((block) => `${block}\ndata: {}`),
  },
  {
    words: 'an event with another name',
    topic: 'success',
    rules: ['one-payload-an-event', 'only-data-lines'],
    change: middleText((block) => `event: audio\n${block}`),
  },
  {
    kind: 'addition',
    words: 'lines that are no data',
    topic: 'success',
    rules: ['only-data-lines'],
    change: middleText((block) => `id: 7\n${block}`),
  },
  {
    words: 'a payload that is no JSON',
    topic: 'success',
    rules: ['one-payload-an-event', 'body-decodes'],
    change: middleText((block) => block.slice(0, -1)),
  },
  {
    words: 'an event with words in it',
    topic: 'success',
    rules: ['one-payload-an-event', 'body-decodes'],
    change: middleText(() => 'data: please wait'),
  },
  {
    words: 'an error in the middle, as an event',
    topic: 'success',
    rules: ['field-present'],
    change: events((all) => [
      ...all.slice(0, all.length >> 1),
      { status: 500, message: 'The engine is gone.' },
      ...all.slice(all.length >> 1),
    ]),
  },
  {
    words: 'a marker at the end',
    topic: 'success',
    rules: ['no-end-marker'],
    change: text((all) => [...all, 'data: [DONE]']),
  },
  {
    words: 'payloads without the framing of events',
    topic: 'success',
    rules: ['stream-has-events', 'one-payload-an-event'],
    change: (answer) => ({
      ...answer,
      body: Buffer.from(answer.body.toString().replaceAll('data: ', '').replaceAll('\n\n', '\n')),
    }),
  },
  {
    words: 'no events at all',
    topic: 'success',
    rules: ['stream-has-events'],
    change: (answer) => ({ ...answer, body: Buffer.alloc(0) }),
  },
  {
    words: 'the last event is not closed by a blank line',
    topic: 'success',
    rules: ['body-ends-cleanly', 'one-payload-an-event', 'audio-ends-whole', 'chunks-join-to-the-audio'],
    change: (answer) => ({ ...answer, body: answer.body.subarray(0, -2) }),
  },
  {
    words: 'one JSON list in place of events',
    topic: 'success',
    rules: ['stream-media-type'],
    change: (answer) => textAnswer(answer, 200, 'application/json', '[]'),
  },
];

const joined = ['chunks-join-to-the-audio', 'audio-decodes', 'audio-ends-whole', 'audio-format'] as const;

const order: readonly StreamBreak[] = [
  {
    words: 'two events in the other order',
    topic: 'success',
    rules: [...joined, 'snapshot-covers-the-last-one'],
    change: events((all) => swapped(all, all.length >> 1)),
  },
  {
    words: 'the first event comes second',
    topic: 'success',
    rules: joined,
    change: events((all) => swapped(all, 0)),
  },
  {
    words: 'an event twice',
    topic: 'success',
    rules: [...joined, 'alignment-covers-the-audio'],
    change: events((all) =>
      all.flatMap((event, index) => (index === all.length >> 1 ? [event, event] : [event])),
    ),
  },
  {
    words: 'an event is missing in the middle',
    topic: 'success',
    rules: joined,
    change: events((all) => all.toSpliced(all.length >> 1, 1)),
  },
  {
    words: 'the last event is missing',
    topic: 'success',
    rules: joined,
    change: events((all) => all.slice(0, -1)),
  },
  {
    words: 'the first event is missing',
    topic: 'success',
    rules: joined,
    change: events((all) => all.slice(1)),
  },
  {
    words: 'the chunks of text come in the other order',
    topic: 'long stream',
    rules: ['chunk-seq-does-not-decrease', 'offset-does-not-decrease', ...joined],
    change: events((all) => all.toSorted((one, other) => other.chunk_seq - one.chunk_seq)),
  },
];

function swapped(all: readonly StreamEvent[], at: number): StreamEvent[] {
  const changed = [...all];
  changed.splice(at, 2, ...changed.slice(at, at + 2).reverse());
  return changed;
}

const withAudio =
  (change: (base64: string) => string) =>
  (event: StreamEvent): StreamEvent => ({ ...event, audio_base64: change(event.audio_base64) });

const payloads: readonly StreamBreak[] = [
  {
    words: 'a bit flipped in the base64 of the header',
    topic: 'success',
    rules: joined,
    change: events(([first, ...rest]) => [
      first && {
        ...first,
        // The third letter holds bits of the second and third byte of the container's name.
        audio_base64: `${first.audio_base64.slice(0, 2)}${flippedLetter(first.audio_base64[2] ?? 'A')}${first.audio_base64.slice(3)}`,
      },
      ...rest,
    ]),
  },
  {
    words: 'base64 of the other alphabet',
    topic: 'success',
    rules: ['every-event-carries-audio'],
    change: events((all) => all.map(withAudio((base64) => base64.replaceAll('+', '-').replaceAll('/', '_')))),
  },
  {
    words: 'base64 with line breaks',
    topic: 'success',
    rules: ['every-event-carries-audio'],
    change: middle(withAudio((base64) => base64.replaceAll(/(.{76})/g, '$1\r\n'))),
  },
  {
    words: 'base64 with a letter that is none',
    topic: 'success',
    rules: ['every-event-carries-audio'],
    change: middle(withAudio((base64) => `${base64.slice(0, 8)}*${base64.slice(9)}`)),
  },
  {
    words: 'base64 that lacks its last letters',
    topic: 'success',
    rules: ['every-event-carries-audio'],
    change: middle(withAudio((base64) => base64.slice(0, base64.length - (base64.length % 4) - 3))),
  },
  {
    words: 'a data URL in place of base64',
    topic: 'success',
    rules: ['every-event-carries-audio'],
    change: events((all) => all.map(withAudio((base64) => `data:audio/ogg;base64,${base64}`))),
  },
  {
    words: 'base64 of base64',
    topic: 'success',
    rules: joined,
    change: events((all) => all.map(withAudio((base64) => Buffer.from(base64).toString('base64')))),
  },
  {
    words: 'hexadecimal digits in place of base64',
    topic: 'success',
    rules: ['every-event-carries-audio', ...joined],
    change: events((all) => all.map(withAudio((base64) => Buffer.from(base64, 'base64').toString('hex')))),
  },
  {
    words: 'an event without audio',
    topic: 'success',
    rules: ['every-event-carries-audio'],
    change: middle(withAudio(() => '')),
  },
];

const flippedLetter = (letter: string): string => (letter === 'B' ? 'C' : 'B');

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

const snapshots: readonly StreamBreak[] = [
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

const chunks: readonly StreamBreak[] = [
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

/** The audio of the stream broken as a whole, in the formats in which the judge asks for streams. */
function joinedAudio(): StreamBreak[] {
  return audioBreaks
    .filter(({ format, words }) => format === 'opus' || (format === 'mp3' && words === 'is stereo'))
    .map(({ words, format, rules, change }) => ({
      words: `joined ${format} ${words}`,
      topic: 'formats',
      rules: [
        ...rules,
        'chunks-join-to-the-audio',
        'every-event-carries-audio',
        'alignment-covers-the-audio',
      ],
      change: (answer, request) =>
        formatOf(request) === format ? withJoinedAudio(answer, change) : undefined,
    }));
}

const otherFormat: Mutant = {
  id: `${operation}: wav in place of what was asked`,
  kind: 'stream',
  operation,
  topic: 'success',
  rules: ['audio-format', 'chunks-join-to-the-audio'],
  interference: {
    request: (request) => {
      const other = formatOf(request) === 'wav' ? 'mp3' : 'wav';
      return withFields(request, (fields) => ({ ...fields, format: other, sample_rate: null }));
    },
  },
};

import type { AnswerChange } from '../carried.ts';
import {
  blocks,
  eachEvent,
  events,
  fields,
  formatOf,
  type Snapshot,
  type StreamEvent,
  set,
  text,
} from '../change.ts';
import { type Mutant, type Rows, table } from '../mutant.ts';

const operation = 'streamSpeechWithTimestamps';

/** Changes the text of the event in the middle. */
const middleText = (change: (block: string) => string): AnswerChange =>
  blocks((all) => all.map((block, index) => (index === all.length >> 1 ? change(block) : block)));

/** Other events in place of the two in the middle of a stream. */
const middle = (change: (one: StreamEvent, other: StreamEvent) => readonly unknown[]): AnswerChange =>
  events((all) => {
    const at = all.length >> 1;
    const [one, other] = all.slice(at, at + 2) as [StreamEvent, StreamEvent];
    return (all as unknown[]).toSpliced(at, 2, ...change(one, other));
  });

const onePayload = 'one-payload-an-event';
const undecodable = [onePayload, 'body-decodes'];

const framing: Rows = {
  'two payloads in one event': [
    undecodable,
    blocks(([first = '', second = '', ...rest]) => [first + second.slice('data: '.length), ...rest]),
  ],
  'a payload over several data lines': [
    onePayload,
    middleText((block) => {
      const indented = JSON.stringify(JSON.parse(block.slice('data: '.length)), null, 1);
      return `data: ${indented.replaceAll('\n', '\ndata: ')}`;
    }),
  ],
  'an event with another name': [
    [onePayload, 'only-data-lines'],
    middleText((block) => `event: audio\n${block}`),
  ],
  'a payload that is no JSON': [undecodable, middleText((block) => block.slice(0, -1))],
  'an error in the middle, as an event': [
    'field-present',
    middle((...both) => [{ status: 500, message: 'Gone.' }, ...both]),
  ],
  'a marker at the end': ['no-end-marker', blocks((all) => [...all, 'data: [DONE]'])],
  'payloads without the framing of events': [
    ['stream-has-events', onePayload],
    blocks((all) => all.map((block) => block.slice('data: '.length))),
  ],
  'no events at all': ['stream-has-events', (answer) => ({ ...answer, body: Buffer.alloc(0) })],
  'one JSON list in place of events': ['stream-media-type', text('application/json', '[]')],
  'wav in place of what was asked': [
    ['audio-format', 'chunks-join-to-the-audio'],
    {
      request: fields((body, request) => {
        const format = formatOf(request) === 'wav' ? 'mp3' : 'wav';
        return { ...body, format, sample_rate: null };
      }),
    },
  ],
};

const joined = ['chunks-join-to-the-audio', 'audio-decodes', 'audio-ends-whole', 'audio-format'];

const order: Rows = {
  'two events in the other order': [
    [...joined, 'snapshot-covers-the-last-one'],
    middle((one, other) => [other, one]),
  ],
  'an event twice': [[...joined, 'alignment-covers-the-audio'], middle((one, other) => [one, one, other])],
  'the last event is missing': [joined, events((all) => all.slice(0, -1))],
};

const eachAudio = (change: (base64: string) => string): AnswerChange =>
  eachEvent(set('audio_base64', (base64) => change(String(base64))));

const carriesAudio = 'every-event-carries-audio';

const payloads: Rows = {
  'base64 of the other alphabet': [
    carriesAudio,
    eachAudio((it) => it.replaceAll('+', '-').replaceAll('/', '_')),
  ],
  'base64 with line breaks': [carriesAudio, eachAudio((it) => it.replaceAll(/(.{76})/g, '$1\r\n'))],
  'base64 with a letter that is none': [carriesAudio, eachAudio((it) => `${it.slice(0, 8)}*${it.slice(9)}`)],
  'base64 of base64': [joined, eachAudio((it) => Buffer.from(it).toString('base64'))],
  'an event without audio': [carriesAudio, middle((one, other) => [{ ...one, audio_base64: '' }, other])],
};

/** Changes every snapshot, in the order they came. */
const eachSnapshot = (
  change: (snapshot: Snapshot, event: StreamEvent, earlier: readonly Snapshot[]) => Partial<Snapshot>,
): AnswerChange =>
  events((all) => {
    const earlier: Snapshot[] = [];
    return all.map((event) => {
      if (event.alignment === null) return event;
      const alignment = { ...event.alignment, ...change(event.alignment, event, earlier) };
      earlier.push(event.alignment);
      return { ...event, alignment };
    });
  });

type Segment = Snapshot['segments'][number];

const eachSegment = (change: (segment: Segment, event: StreamEvent) => Partial<Segment>): AnswerChange =>
  eachSnapshot(({ segments }, event) => ({
    segments: segments.map((segment) => ({ ...segment, ...change(segment, event) })),
  }));

const inOrder = 'segments-in-order';

/** Broken words and times in events. */
const snapshots: Rows = {
  'snapshots hold only what is new': [
    'snapshot-covers-the-last-one',
    eachSnapshot(({ segments }, _event, earlier) => ({
      segments: segments.slice(earlier.at(-1)?.segments.length ?? 0),
    })),
  ],
  'segments come in the other order': [
    inOrder,
    eachSnapshot(({ segments }) => ({ segments: segments.toReversed() })),
  ],
  'segment times are in milliseconds': [
    ['stream-times-unit', inOrder],
    eachSegment(({ start, end }) => ({ start: start * 1000, end: end * 1000 })),
  ],
  'a segment starts before zero': [
    ['segments-have-text', inOrder],
    eachSegment(({ start }) => ({ start: start - 1 })),
  ],
  'segments without their text': ['segments-have-text', eachSegment(() => ({ text: '' }))],
  'audio_duration is a second too long': [
    ['alignment-covers-the-audio', 'offset-follows-the-chunks'],
    eachSnapshot(({ audio_duration: seconds }) => ({ audio_duration: seconds + 1 })),
  ],
  'no snapshot ever comes': ['stream-tells-times', eachEvent(set('alignment', () => null))],
  'every segment is at zero': ['times-are-told', eachSegment(() => ({ start: 0, end: 0 }))],
  'every segment has the same word': ['words-are-spoken', eachSegment(() => ({ text: 'word' })), 'formats'],
};

const offsets = (change: (seconds: number, index: number) => number): AnswerChange =>
  eachEvent((event, index) => set('chunk_audio_offset_sec', (it) => change(Number(it), index))(event));

const numbers = (change: (number: number) => number): AnswerChange =>
  eachEvent(set('chunk_seq', (number) => change(Number(number))));

const contents = (change: (content: string, index: number) => string): AnswerChange =>
  eachEvent((event, index) => set('content', (it) => change(String(it), index))(event));

const ofTheChunk = 'content-belongs-to-the-chunk';

/** The numbers, offsets and contents of chunks, broken. */
const chunks: Rows = {
  'the offset grows within a chunk': ['offset-belongs-to-the-chunk', offsets((_seconds, index) => index)],
  'chunks are counted from one': ['chunk-seq-has-no-gaps', numbers((number) => number + 1)],
  'the content changes within a chunk': [ofTheChunk, contents((content, index) => `${content} ${index}`)],
  'the content is empty': [ofTheChunk, contents(() => '')],
};

/** Mutants that only show in a stream of several chunks. */
const longOnes: Rows = {
  'the offset falls': ['offset-does-not-decrease', offsets((seconds) => 100 - seconds)],
  'the offset is in milliseconds': [
    ['stream-times-unit', 'offset-follows-the-chunks'],
    offsets((seconds) => seconds * 1000),
  ],
  'the number of the chunk falls': ['chunk-seq-does-not-decrease', numbers((number) => 5 - number)],
  'all chunks have one number': [['offset-belongs-to-the-chunk', ofTheChunk], numbers(() => 0)],
};

/** Streams whose events are out of order, missing, repeated, or say what cannot be. */
export const streams: readonly Mutant[] = [
  ...table(operation, 'stream', { ...framing, ...order, ...payloads, ...snapshots, ...chunks }),
  ...table(operation, 'stream', longOnes, 'long stream'),
  ...table(operation, 'addition', {
    'lines that are no data': ['only-data-lines', middleText((block) => `id: 7\n${block}`)],
  }),
];

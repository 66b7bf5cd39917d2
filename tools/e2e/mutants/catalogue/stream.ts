import { type StreamEvent, withJoinedAudio } from '../change/events.ts';
import { withFields } from '../change/request.ts';
import type { Mutant } from '../mutant.ts';
import { formatOf } from './audio.ts';
import { audioBreaks } from './broken-audio.ts';
import { onSuccess, textAnswer } from './interferences.ts';
import { chunks, snapshots } from './snapshots.ts';
import { events, middle, middleText, type StreamBreak, text } from './stream-break.ts';

const operation = 'streamSpeechWithTimestamps';

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

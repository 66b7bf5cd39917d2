import { encode } from '@msgpack/msgpack';
import type { AnswerChange, CarriedRequest } from '../carried.ts';
import {
  eachEvent,
  field,
  fields,
  header,
  mediaTypeOf,
  object,
  refused,
  set,
  status,
  when,
} from '../change.ts';
import { type Mutant, type Rows, table } from '../mutant.ts';

const inference = ['createSpeech', 'streamSpeechWithTimestamps', 'createTranscription'] as const;

type Inference = (typeof inference)[number];

const isMessagePack = (request: CarriedRequest) => mediaTypeOf(request) === 'application/msgpack';
const isTraced = ({ headers }: CarriedRequest) => headers.traceparent !== undefined;
const isInvalid = ({ headers }: CarriedRequest) => /^00-0{32}-/.test(String(headers.traceparent ?? ''));

/** The same differences of status, type and shape, whatever makes them. */
function differences(
  operation: Inference,
  what: string,
  rule: string,
  isMeant: (request: CarriedRequest) => boolean,
): Rows {
  const otherType = operation === 'createSpeech' ? 'application/octet-stream' : 'application/problem+json';
  const changes: Readonly<Record<string, AnswerChange>> = {
    'with another status': status(203),
    'in another type': header('content-type', otherType),
    'with a refusal': refused(400),
    ...shapes[operation],
  };
  // An empty list and null have no shape that differs from another; that times are missing has rules of its own.
  const rules = [rule, 'timed-segments-when-asked', 'stream-tells-times'];
  return Object.fromEntries(
    Object.entries(changes).map(([words, change]) => [
      `${what} is answered ${words}`,
      [rules, when(isMeant, change), 'encodings'],
    ]),
  );
}

const shapes: Readonly<Record<Inference, Readonly<Record<string, AnswerChange>>>> = {
  createSpeech: {},
  createTranscription: {
    'with a field more': object((body) => ({ ...body, engine: 'b' })),
    'without times': field('segments', () => []),
  },
  streamSpeechWithTimestamps: {
    'with a field more': eachEvent((event) => ({ ...event, engine: 'b' })),
    'without snapshots': eachEvent(set('alignment', () => null)),
  },
};

const inMessagePack: Rows = {
  'MessagePack is answered in MessagePack': [
    ['media-type-documented', 'encodings-agree', 'body-decodes'],
    when(isMessagePack, (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'content-type': 'application/msgpack' },
      body: Buffer.from(encode(JSON.parse(answer.body.toString()))),
    })),
  ],
};

const invalidTraces: Rows = {
  'an invalid traceparent is refused': [
    ['success-expected', 'trace-changes-nothing'],
    when(isInvalid, refused(400)),
  ],
  'an invalid traceparent is continued': [
    ['trace-is-continued', 'header-values'],
    when(isInvalid, header('x-trace-id', '0'.repeat(32))),
  ],
  'an invalid traceparent changes the format': [
    ['trace-changes-nothing', 'audio-format'],
    {
      request: fields((body, request) =>
        isInvalid(request) ? { ...body, format: 'mp3', sample_rate: null } : undefined,
      ),
    },
  ],
};

/** MessagePack that is answered otherwise than the same in another type, and a trace that changes the answer. */
export const encodingsAndTraces: readonly Mutant[] = [
  ...inference.flatMap((operation) => [
    ...table(operation, 'encoding', differences(operation, 'MessagePack', 'encodings-agree', isMessagePack)),
    ...table(operation, 'trace', {
      ...differences(operation, 'a traceparent', 'trace-changes-nothing', isTraced),
      'a valid traceparent is not continued': [
        'trace-is-continued',
        when(isTraced, header('x-trace-id', '0123456789abcdef0123456789abcdef')),
        'encodings',
      ],
    }),
  ]),
  ...table('createTranscription', 'encoding', inMessagePack, 'encodings'),
  ...table('createModel', 'encoding', inMessagePack, ['voice-from-msgpack']),
  ...table('createSpeech', 'trace', invalidTraces),
];

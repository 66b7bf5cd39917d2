import { encode } from '@msgpack/msgpack';
import type { AnswerChange, CarriedRequest } from '../carried.ts';
import { eachEvent, fields, header, mediaTypeOf, object, refused, status, when } from '../change.ts';
import { type Kind, type Mutant, type Row, table } from '../mutant.ts';

const shown = {
  createSpeech: ['speech-encodings'],
  streamSpeechWithTimestamps: ['stream-encodings'],
  createTranscription: ['transcription-encodings'],
} as const;

type Inference = keyof typeof shown;

const isMessagePack = (request: CarriedRequest) => mediaTypeOf(request) === 'application/msgpack';
const isTraced = ({ headers }: CarriedRequest) => headers.traceparent !== undefined;
const isInvalid = ({ headers }: CarriedRequest) => /^00-0{32}-/.test(String(headers.traceparent ?? ''));

/** MessagePack that is answered otherwise than the same in another type, and a trace that changes the answer. */
export function encodingsAndTraces(): Mutant[] {
  return [
    ...(Object.keys(shown) as Inference[]).flatMap((operation) => [
      ...differences(operation, 'MessagePack', 'encoding', 'encodings-agree', isMessagePack),
      ...differences(operation, 'a traceparent', 'trace', 'trace-changes-nothing', isTraced),
      ...table(operation, 'trace', [
        [
          'a valid traceparent is not continued',
          ['trace-is-continued'],
          when(isTraced, header('x-trace-id', '0123456789abcdef0123456789abcdef')),
          shown[operation],
        ],
      ]),
    ]),
    ...table('createTranscription', 'encoding', [inMessagePack(shown.createTranscription)]),
    ...table('createModel', 'encoding', [inMessagePack(['voice-from-msgpack'])]),
    ...table('createSpeech', 'trace', invalidTraces),
  ];
}

/** The same differences of status, type and shape, whatever makes them. */
function differences(
  operation: Inference,
  what: string,
  kind: Kind,
  rule: string,
  isMeant: (request: CarriedRequest) => boolean,
): Mutant[] {
  const otherType = operation === 'createSpeech' ? 'application/octet-stream' : 'application/problem+json';
  const changes: readonly (readonly [words: string, change: AnswerChange])[] = [
    ['with another status', status(203)],
    ['in another type', header('content-type', otherType)],
    ['with a refusal', refused(400)],
    ...shapes[operation],
  ];
  // An empty list and null have no shape that differs from another; that times are missing has rules of its own.
  const rules = [rule, 'timed-segments-when-asked', 'stream-tells-times'];
  const rows = changes.map(
    ([words, change]): Row => [`${what} is answered ${words}`, rules, when(isMeant, change)],
  );
  return table(operation, kind, rows, shown[operation]);
}

const shapes: Readonly<Record<Inference, readonly (readonly [words: string, change: AnswerChange])[]>> = {
  createSpeech: [],
  createTranscription: [
    ['with a field more', object((body) => ({ ...body, engine: 'b' }))],
    ['without times', object((body) => ({ ...body, segments: [] }))],
  ],
  streamSpeechWithTimestamps: [
    ['without snapshots', eachEvent((event) => ({ ...event, alignment: null }))],
    ['with a field more', eachEvent((event) => ({ ...event, engine: 'b' }))],
  ],
};

const inMessagePack = (scenarios: readonly string[]): Row => [
  'MessagePack is answered in MessagePack',
  ['media-type-documented', 'encodings-agree', 'body-decodes'],
  when(isMessagePack, (answer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'application/msgpack' },
    body: Buffer.from(encode(JSON.parse(answer.body.toString()))),
  })),
  scenarios,
];

const ifInvalid = (change: Record<string, unknown>) => ({
  request: fields((body, request) => (isInvalid(request) ? { ...body, ...change } : undefined)),
});

const invalidTraces: readonly Row[] = [
  [
    'an invalid traceparent is refused',
    ['success-expected', 'trace-changes-nothing'],
    when(isInvalid, refused(400)),
  ],
  [
    'an invalid traceparent is continued',
    ['trace-is-continued', 'header-values'],
    when(isInvalid, header('x-trace-id', '0'.repeat(32))),
  ],
  [
    'an invalid traceparent changes the format',
    ['trace-changes-nothing', 'audio-format'],
    ifInvalid({ format: 'mp3', sample_rate: null }),
  ],
];

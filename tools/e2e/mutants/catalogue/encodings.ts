import { encode } from '@msgpack/msgpack';
import type { OperationId } from '@speech-api/types';
import { withEvents } from '../change/events.ts';
import { isObject, type JsonObject, withJson } from '../change/json.ts';
import { mediaTypeOf, withFields } from '../change/request.ts';
import type { Kind, Mutant } from '../mutant.ts';
import type { CarriedAnswer, CarriedRequest } from '../proxy/carried.ts';
import { type AnswerChange, generalError, onSuccess, withHeader, withStatus } from './interferences.ts';

type Inference = Extract<OperationId, 'createSpeech' | 'streamSpeechWithTimestamps' | 'createTranscription'>;

const shown: Readonly<Record<Inference, readonly string[]>> = {
  createSpeech: ['speech-encodings'],
  streamSpeechWithTimestamps: ['stream-encodings'],
  createTranscription: ['transcription-encodings'],
};

const inference = Object.keys(shown) as Inference[];

/** MessagePack that is answered otherwise than the same in another type, and a trace that changes the answer. */
export function encodingsAndTraces(): Mutant[] {
  const isMessagePack = (request: CarriedRequest) => mediaTypeOf(request) === 'application/msgpack';
  const isTraced = (request: CarriedRequest) => request.headers.traceparent !== undefined;
  return [
    ...inference.flatMap((operation) => [
      ...differences(operation, 'MessagePack', 'encoding', 'encodings-agree', isMessagePack),
      ...differences(operation, 'a traceparent', 'trace', 'trace-changes-nothing', isTraced),
    ]),
    ...answeredInMessagePack(),
    ...invalidTraces(),
    ...traceIds(),
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
  const changes: readonly (readonly [words: string, change: AnswerChange])[] = [
    ['is answered with another status', (answer) => withStatus(answer, 203)],
    [
      'is answered in another type',
      (answer) =>
        withHeader(
          answer,
          'content-type',
          operation === 'createSpeech' ? 'application/octet-stream' : 'application/problem+json',
        ),
    ],
    ['is refused', (answer) => generalError(answer, 400)],
    ...(shapes[operation] ?? []),
  ];
  return changes.map(([words, change]) => ({
    id: `${operation}: ${what} ${words}`,
    kind,
    operation,
    topic: shown[operation],
    rules: [rule, ...withoutTimesIs],
    interference: {
      answer: onSuccess((answer, request) => (isMeant(request) ? change(answer, request) : undefined)),
    },
  }));
}

/** An empty list and null have no shape that differs from another; that times are missing has rules of its own. */
const withoutTimesIs = ['timed-segments-when-asked', 'stream-tells-times'];

const withoutTimes = (body: JsonObject): JsonObject => ({ ...body, segments: [] });

const shapes: Partial<Record<Inference, readonly (readonly [words: string, change: AnswerChange])[]>> = {
  createTranscription: [
    [
      'is answered with a field more',
      (answer) => withJson(answer, (body) => ({ ...(body as object), engine: 'b' })),
    ],
    [
      'is answered without times',
      (answer) => withJson(answer, (body) => (isObject(body) ? withoutTimes(body) : body)),
    ],
  ],
  streamSpeechWithTimestamps: [
    [
      'is answered without snapshots',
      (answer) => withEvents(answer, (events) => events.map((event) => ({ ...event, alignment: null }))),
    ],
    [
      'is answered with a field more',
      (answer) => withEvents(answer, (events) => events.map((event) => ({ ...event, engine: 'b' }))),
    ],
  ],
};

function answeredInMessagePack(): Mutant[] {
  const body = (answer: CarriedAnswer): CarriedAnswer => ({
    ...withHeader(answer, 'content-type', 'application/msgpack'),
    body: Buffer.from(encode(JSON.parse(answer.body.toString()))),
  });
  return (
    [
      [
        'createTranscription',
        'transcription-encodings',
        ['encodings-agree', 'media-type-documented', 'body-decodes'],
      ],
      ['createModel', 'voice-from-msgpack', ['media-type-documented', 'body-decodes', 'encodings-agree']],
    ] as const
  ).map(([operation, scenario, rules]) => ({
    id: `${operation}: MessagePack is answered in MessagePack`,
    kind: 'encoding',
    operation,
    topic: [scenario],
    rules,
    interference: {
      answer: onSuccess((answer, request) =>
        mediaTypeOf(request) === 'application/msgpack' ? body(answer) : undefined,
      ),
    },
  }));
}

const isInvalid = (request: CarriedRequest): boolean =>
  /^00-0{32}-/.test(String(request.headers.traceparent ?? ''));

function invalidTraces(): Mutant[] {
  const one = (words: string, rules: readonly string[], interference: Mutant['interference']): Mutant => ({
    id: `createSpeech: ${words}`,
    kind: 'trace',
    operation: 'createSpeech',
    topic: ['speech-traceparent-invalid'],
    rules,
    interference,
  });
  return [
    one('an invalid traceparent is refused', ['success-expected', 'trace-changes-nothing'], {
      answer: onSuccess((answer, request) => (isInvalid(request) ? generalError(answer, 400) : undefined)),
    }),
    one('an invalid traceparent is continued', ['trace-is-continued', 'header-values'], {
      answer: onSuccess((answer, request) =>
        isInvalid(request) ? withHeader(answer, 'x-trace-id', '0'.repeat(32)) : undefined,
      ),
    }),
    one('an invalid traceparent changes the format', ['trace-changes-nothing', 'audio-format'], {
      request: (request) =>
        isInvalid(request)
          ? withFields(request, (fields) => ({ ...fields, format: 'mp3', sample_rate: null }))
          : undefined,
    }),
    one('an invalid traceparent changes the rate', ['audio-sample-rate'], {
      request: (request) =>
        isInvalid(request)
          ? withFields(request, (fields) => ({ ...fields, sample_rate: 16_000 }))
          : undefined,
    }),
  ];
}

function traceIds(): Mutant[] {
  return inference.map((operation) => ({
    id: `${operation}: a valid traceparent is not continued`,
    kind: 'trace',
    operation,
    topic: shown[operation],
    rules: ['trace-is-continued'],
    interference: {
      answer: onSuccess((answer, request) =>
        request.headers.traceparent === undefined
          ? undefined
          : withHeader(answer, 'x-trace-id', '0123456789abcdef0123456789abcdef'),
      ),
    },
  }));
}

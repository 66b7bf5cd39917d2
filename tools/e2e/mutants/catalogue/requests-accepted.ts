import { type OperationId, synthesisRanges } from '@speech-api/types';
import { isObject, type JsonObject } from '../change/json.ts';
import { fieldsOf, mediaTypeOf, withFields, withQuery } from '../change/request.ts';
import type { Kind, Mutant, Shown } from '../mutant.ts';
import type { CarriedRequest } from '../proxy/carried.ts';
import { generalError, onSuccess } from './interferences.ts';

type Speech = Extract<OperationId, 'createSpeech' | 'streamSpeechWithTimestamps'>;

/** Servers that keep no limit, and servers that keep one that is too narrow. */
export function requestsAccepted(): Mutant[] {
  return [...ranges(), ...values(), ...others(), ...narrow()];
}

const make = (
  operation: OperationId,
  words: string,
  topic: Shown,
  rules: readonly string[],
  interference: Mutant['interference'],
  kind: Kind = 'bad request accepted',
): Mutant => ({ id: `${operation}: ${words}`, kind, operation, topic, rules, interference });

/** The value that a name with a dot leads to. */
function valueAt(fields: JsonObject, name: string): unknown {
  const [outer = '', inner] = name.split('.');
  const value = fields[outer];
  return inner === undefined ? value : isObject(value) ? value[inner] : undefined;
}

const withoutField = (request: CarriedRequest, name: string, isWrong: (value: unknown) => boolean) =>
  withFields(request, (fields) => {
    if (!isWrong(valueAt(fields, name))) return undefined;
    const { [name.split('.')[0] ?? '']: _left, ...rest } = fields;
    return rest;
  });

/** Just outside a range: whole numbers have whole neighbours. */
const beside = (name: string, end: number, side: 1 | -1): number =>
  name.includes('chunk_length') ? end + side : Math.round(100 * end + side) / 100;

/** Each range of a synthesis request, ignored at one end: the judge tries both ends, at one operation each. */
function ranges(): Mutant[] {
  return Object.entries(synthesisRanges).flatMap(([name, { minimum, maximum }]) =>
    (
      [
        ['below', minimum, beside(name, minimum, -1), (value: unknown) => Number(value) < minimum],
        ['above', maximum, beside(name, maximum, 1), (value: unknown) => Number(value) > maximum],
      ] as const
    ).map(([side, end, tried, isWrong]) =>
      make(
        side === 'below' ? 'createSpeech' : 'streamSpeechWithTimestamps',
        `${name} ${side} ${end} is accepted`,
        { step: `, ${name} ${tried}` },
        ['refusal-expected'],
        {
          concerns: ({ path }) => path.startsWith('/v1/tts'),
          request: (request) => withoutField(request, name, isWrong),
        },
      ),
    ),
  );
}

/** Values that are accepted although the schema rules them out, by the words of the judge's step. */
function values(): Mutant[] {
  const wrong: readonly (readonly [
    step: string,
    operation: Speech,
    repair: (fields: JsonObject) => JsonObject,
  ])[] = [
    ['an unknown field', 'createSpeech', ({ temprature: _left, ...rest }) => rest],
    ['an unknown format', 'streamSpeechWithTimestamps', ({ format: _left, ...rest }) => rest],
    ['an unknown latency', 'createSpeech', ({ latency: _left, ...rest }) => rest],
    ['a rate that no format has', 'streamSpeechWithTimestamps', ({ sample_rate: _left, ...rest }) => rest],
    ['a bitrate that mp3 does not have', 'createSpeech', ({ mp3_bitrate: _left, ...rest }) => rest],
    ['a bitrate in kbps', 'streamSpeechWithTimestamps', ({ opus_bitrate: _left, ...rest }) => rest],
    ['a number as text', 'createSpeech', ({ temperature: _left, ...rest }) => rest],
    [
      'a text that is a number',
      'streamSpeechWithTimestamps',
      (fields) => ({ ...fields, text: String(fields.text) }),
    ],
    ['an empty list of references', 'createSpeech', ({ references: _left, ...rest }) => rest],
    ['a reference without its text', 'streamSpeechWithTimestamps', ({ references: _left, ...rest }) => rest],
  ];
  return wrong.map(([step, operation, repair]) =>
    make(operation, `${step} is accepted`, { step: `, ${step}` }, ['refusal-expected'], {
      request: (request) => withFields(request, repair),
    }),
  );
}

function others(): Mutant[] {
  return [
    make('createSpeech', 'no text is accepted', ['speech-without-text'], ['refusal-expected'], {
      request: (request) =>
        withFields(request, (fields) =>
          fields.text === undefined ? { ...fields, text: 'Nothing.' } : undefined,
        ),
    }),
    make('createSpeech', 'no model header is accepted', ['speech-without-model'], ['refusal-expected'], {
      request: (request) =>
        request.headers.model === undefined
          ? { ...request, headers: { ...request.headers, model: 's2-pro' } }
          : undefined,
    }),
    make('createSpeech', 'a form is accepted', ['speech-media-type'], ['refusal-expected'], {
      request: (request) =>
        mediaTypeOf(request) === 'application/x-www-form-urlencoded'
          ? asJson(request, { text: 'Good morning.' })
          : undefined,
    }),
    make(
      'streamSpeechWithTimestamps',
      'half of a JSON body is accepted',
      ['speech-malformed-json'],
      ['refusal-expected'],
      {
        request: (request) =>
          fieldsOf(request) === undefined ? asJson(request, { text: 'Good morning.' }) : undefined,
      },
    ),
    make(
      'createSpeech',
      'half of a MessagePack body is accepted',
      ['speech-malformed-msgpack'],
      ['refusal-expected'],
      {
        request: (request) =>
          fieldsOf(request) === undefined ? asJson(request, { text: 'Good morning.' }) : undefined,
      },
    ),
    make(
      'createSpeech',
      'a voice that does not exist speaks',
      ['speech-unknown-voice'],
      ['refusal-expected'],
      {
        request: (request) => withFields(request, ({ reference_id: _left, ...rest }) => rest),
      },
    ),
    make(
      'createSpeech',
      'wav at 48000 Hz is accepted',
      { step: ', breaking sample-rate-of-wav-and-pcm' },
      ['refusal-expected'],
      {
        request: (request) => withFields(request, ({ sample_rate: _left, ...rest }) => rest),
      },
    ),
    make(
      'streamSpeechWithTimestamps',
      'a dialogue on s1 is accepted',
      { step: ', breaking dialogue-not-on-s1' },
      ['refusal-expected'],
      {
        request: (request) =>
          withFields(request, ({ reference_id: _voices, references: _samples, ...rest }) => rest),
      },
    ),
    make(
      'streamSpeechWithTimestamps',
      'an empty text is accepted',
      { step: ', breaking text-not-empty' },
      ['refusal-expected'],
      {
        request: (request) => withFields(request, (fields) => ({ ...fields, text: 'Nothing.' })),
      },
    ),
    make('listModels', 'a page below the first is accepted', ['list-page-too-small'], ['refusal-expected'], {
      request: (request) => withQuery(request, (query) => query.delete('page_number')),
    }),
    make('listModels', 'a page size of zero is accepted', ['list-refusals'], ['refusal-expected'], {
      request: (request) =>
        withQuery(request, (query) => {
          if (Number(query.get('page_size') ?? 1) < 1) query.delete('page_size');
        }),
    }),
    make('listModels', 'an unknown sort order is accepted', ['list-refusals'], ['refusal-expected'], {
      request: (request) => withQuery(request, (query) => query.delete('sort_by')),
    }),
    make('listModels', 'a page in words is accepted', ['list-refusals'], ['refusal-expected'], {
      request: (request) => withQuery(request, (query) => query.delete('page_number')),
    }),
  ];
}

function asJson(request: CarriedRequest, fields: JsonObject): CarriedRequest {
  const body = Buffer.from(JSON.stringify(fields));
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json' }, body };
}

/** Limits that are narrower than the interface says. */
function narrow(): Mutant[] {
  const refusing = (isRefused: (request: CarriedRequest) => boolean): Mutant['interference'] => ({
    answer: onSuccess((answer, request) => (isRefused(request) ? generalError(answer, 400) : undefined)),
  });
  const rules = ['success-expected', 'encodings-agree'];
  const kind: Kind = 'good request refused';
  const ends = Object.entries(synthesisRanges).flatMap(([name, range]) =>
    (['minimum', 'maximum'] as const).map((end) =>
      make(
        'createSpeech',
        `${name} of exactly ${range[end]} is refused`,
        ['speech-wav-1', 'speech-wav-2'],
        rules,
        refusing((request) => valueAt(fieldsOf(request) ?? {}, name) === range[end]),
        kind,
      ),
    ),
  );
  return [
    ...ends,
    make(
      'createTranscription',
      'exactly one second is refused',
      ['transcription-shortest'],
      rules,
      refusing(() => true),
      kind,
    ),
    make(
      'createModel',
      'MessagePack is refused',
      ['voice-from-msgpack'],
      rules,
      refusing((request) => mediaTypeOf(request) === 'application/msgpack'),
      kind,
    ),
    make(
      'createModel',
      'JSON is refused',
      ['voice-from-json'],
      rules,
      refusing(() => true),
      kind,
    ),
    make(
      'createSpeech',
      'inline voices are refused',
      ['inline-voices'],
      rules,
      refusing((request) => Array.isArray(fieldsOf(request)?.references)),
      kind,
    ),
    make(
      'createSpeech',
      'dialogues are refused',
      ['voice-dialogue'],
      rules,
      refusing((request) => Array.isArray(fieldsOf(request)?.reference_id)),
      kind,
    ),
    make(
      'streamSpeechWithTimestamps',
      'latency balanced is refused',
      ['stream-balanced'],
      rules,
      refusing((request) => fieldsOf(request)?.latency === 'balanced'),
      kind,
    ),
  ];
}

import { synthesisRanges } from '@speech-api/types';
import type { CarriedRequest, RequestChange } from '../carried.ts';
import {
  fields,
  fieldsOf,
  isObject,
  type JsonObject,
  mediaTypeOf,
  query,
  refused,
  when,
  without,
} from '../change.ts';
import { type Mutant, type Row, type Shown, table } from '../mutant.ts';

/** Servers that keep no limit, and servers that keep one that is too narrow. */
export function requestsAccepted(): Mutant[] {
  const accepted = 'bad request accepted';
  const narrow = 'good request refused';
  return [
    ...table('createSpeech', accepted, [...ranges('minimum'), ...speech]),
    ...table('streamSpeechWithTimestamps', accepted, [...ranges('maximum'), ...streams]),
    ...table('listModels', accepted, lists),
    ...table('createSpeech', narrow, [...ends(), ...narrowSpeech]),
    ...table('createTranscription', narrow, [
      refusedWhen('exactly one second', ['transcription-shortest'], () => true),
    ]),
    ...table('createModel', narrow, [
      refusedWhen('MessagePack', ['voice-from-msgpack'], (request) =>
        mediaTypeOf(request).endsWith('msgpack'),
      ),
      refusedWhen('JSON', ['voice-from-json'], () => true),
    ]),
    ...table('streamSpeechWithTimestamps', narrow, [
      refusedWhen(
        'latency balanced',
        ['stream-balanced'],
        (request) => fieldsOf(request)?.latency === 'balanced',
      ),
    ]),
  ];
}

/** The value that a name with a dot leads to. */
function valueAt(body: JsonObject, name: string): unknown {
  const [outer = '', inner] = name.split('.');
  const value = body[outer];
  return inner === undefined ? value : isObject(value) ? value[inner] : undefined;
}

/** Each range of a synthesis request, ignored at one end: the judge tries both ends, at one operation each. */
function ranges(end: 'minimum' | 'maximum'): Row[] {
  return Object.entries(synthesisRanges).map(([name, range]) => {
    const side = end === 'minimum' ? -1 : 1;
    const limit = range[end];
    // Whole numbers have whole neighbours.
    const tried = name.includes('chunk_length') ? limit + side : Math.round(100 * limit + side) / 100;
    const [outer = ''] = name.split('.');
    const repaired = fields(({ [outer]: value, ...rest }) =>
      Number(valueAt({ [outer]: value }, name)) * side > limit * side ? rest : undefined,
    );
    return [
      `${name} ${side < 0 ? 'below' : 'above'} ${limit} is accepted`,
      ['refusal-expected'],
      { concerns: () => true, request: repaired },
      { step: `, ${name} ${tried}` },
    ];
  });
}

/** A mistake that the server repairs instead of refusing it. */
const repaired = (words: string, shown: Shown, request: RequestChange): Row => [
  `${words} is accepted`,
  ['refusal-expected'],
  { request },
  shown,
];

/** A field that the server takes away because it is wrong. */
const dropped = (step: string, name: string): Row => repaired(step, { step: `, ${step}` }, without(name));

const asJson = (request: CarriedRequest): CarriedRequest => ({
  ...request,
  headers: { ...request.headers, 'content-type': 'application/json' },
  body: Buffer.from('{"text":"Good morning."}'),
});

const brokenAsJson: RequestChange = (request) =>
  fieldsOf(request) === undefined ? asJson(request) : undefined;

const speech: readonly Row[] = [
  dropped('an unknown field', 'temprature'),
  dropped('a number as text', 'temperature'),
  dropped('an empty list of references', 'references'),
  repaired(
    'no text',
    'schema',
    fields((body) => (body.text === undefined ? { ...body, text: 'Nothing.' } : undefined)),
  ),
  repaired('no model header', ['speech-without-model'], (request) =>
    request.headers.model === undefined
      ? { ...request, headers: { ...request.headers, model: 's2-pro' } }
      : undefined,
  ),
  repaired('a form', 'media type', brokenAsJson),
  repaired('a voice that does not exist', ['speech-unknown-voice'], without('reference_id')),
  repaired('wav at 48000 Hz', { step: ', breaking sample-rate-of-wav-and-pcm' }, without('sample_rate')),
];

const streams: readonly Row[] = [
  dropped('an unknown format', 'format'),
  dropped('a bitrate in kbps', 'opus_bitrate'),
  repaired(
    'a text that is a number',
    { step: ', a text that is a number' },
    fields((body) => ({ ...body, text: String(body.text) })),
  ),
  repaired('half of a JSON body', 'schema', brokenAsJson),
  repaired(
    'a dialogue on s1',
    'rule',
    fields(({ reference_id: _ids, references: _samples, ...rest }) => rest),
  ),
];

const lists: readonly Row[] = [
  repaired(
    'a page below the first',
    'schema',
    query((given) => given.delete('page_number')),
  ),
  repaired(
    'a page size of zero',
    ['list-refusals'],
    query((given) => given.delete('page_size')),
  ),
  repaired(
    'an unknown sort order',
    ['list-refusals'],
    query((given) => given.delete('sort_by')),
  ),
];

function refusedWhen(words: string, shown: Shown, isMeant: (request: CarriedRequest) => boolean): Row {
  return [`${words} is refused`, ['success-expected', 'encodings-agree'], when(isMeant, refused(400)), shown];
}

/** Each end of each range, refused. */
const ends = (): Row[] =>
  Object.entries(synthesisRanges).flatMap(([name, range]) =>
    (['minimum', 'maximum'] as const).map((end) =>
      refusedWhen(
        `${name} of exactly ${range[end]}`,
        ['speech-wav-1', 'speech-wav-2'],
        (request) => valueAt(fieldsOf(request) ?? {}, name) === range[end],
      ),
    ),
  );

const narrowSpeech: readonly Row[] = [
  refusedWhen('a dialogue', ['voice-dialogue'], (request) => Array.isArray(fieldsOf(request)?.reference_id)),
];

import { synthesisRanges } from '@speech-api/types';
import type { CarriedRequest, RequestChange } from '../carried.ts';
import {
  fields,
  fieldsOf,
  isObject,
  type JsonObject,
  leftOut,
  mediaTypeOf,
  query,
  refused,
  when,
  without,
} from '../change.ts';
import { type Mutant, type Row, type Rows, type Shown, table } from '../mutant.ts';

function valueAt(body: JsonObject, name: string): unknown {
  const [outer = '', inner] = name.split('.');
  const value = body[outer];
  return inner === undefined ? value : isObject(value) ? value[inner] : undefined;
}

/** Each range of a synthesis request, ignored at one end: the judge tries both ends, at one operation each. */
function ranges(end: 'minimum' | 'maximum'): Rows {
  const rows = Object.entries(synthesisRanges).map(([name, range]): [string, Row] => {
    const side = end === 'minimum' ? -1 : 1;
    const limit = range[end];
    // Whole numbers have whole neighbours.
    const tried = name.includes('chunk_length') ? limit + side : Math.round(100 * limit + side) / 100;
    const [outer = ''] = name.split('.');
    const request = fields((body) =>
      Number(valueAt(body, name)) * side > limit * side ? leftOut(outer)(body) : undefined,
    );
    return [
      `${name} ${side < 0 ? 'below' : 'above'} ${limit} is accepted`,
      ['refusal-expected', { concerns: () => true, request }, { step: `, ${name} ${tried}` }],
    ];
  });
  return Object.fromEntries(rows);
}

/** A mistake that the server repairs instead of refusing it. */
const repaired = (request: RequestChange, shown?: Shown): Row => ['refusal-expected', { request }, shown];

/** A field that the server takes away because it is wrong. */
const dropped = (step: string, name: string): Rows => ({
  [`${step} is accepted`]: repaired(without(name), { step: `, ${step}` }),
});

const brokenAsJson: RequestChange = (request) =>
  fieldsOf(request) === undefined
    ? {
        ...request,
        headers: { ...request.headers, 'content-type': 'application/json' },
        body: Buffer.from('{"text":"Good morning."}'),
      }
    : undefined;

const speech: Rows = {
  ...dropped('an unknown field', 'temprature'),
  ...dropped('a number as text', 'temperature'),
  ...dropped('an empty list of references', 'references'),
  'no text is accepted': repaired(
    fields((body) => (body.text === undefined ? { ...body, text: 'Nothing.' } : undefined)),
    'schema',
  ),
  'no model header is accepted': repaired(
    (request) => ({ ...request, headers: { model: 's2-pro', ...request.headers } }),
    ['speech-without-model'],
  ),
  'a form is accepted': repaired(brokenAsJson, 'media type'),
  'a voice that does not exist is accepted': repaired(without('reference_id'), ['speech-unknown-voice']),
  'wav at 48000 Hz is accepted': repaired(without('sample_rate'), {
    step: ', breaking sample-rate-of-wav-and-pcm',
  }),
};

const streams: Rows = {
  ...dropped('an unknown format', 'format'),
  ...dropped('a bitrate in kbps', 'opus_bitrate'),
  'a text that is a number is accepted': repaired(
    fields((body) => ({ ...body, text: String(body.text) })),
    { step: ', a text that is a number' },
  ),
  'half of a JSON body is accepted': repaired(brokenAsJson, 'schema'),
  'a dialogue on s1 is accepted': repaired(
    fields(({ reference_id: _ids, references: _samples, ...rest }) => rest),
    'rule',
  ),
};

const unasked = (name: string): RequestChange => query((given) => given.delete(name));

const lists: Rows = {
  'a page below the first is accepted': repaired(unasked('page_number'), 'schema'),
  'a page size of zero is accepted': repaired(unasked('page_size'), ['list-page-size-too-small']),
  'an unknown sort order is accepted': repaired(unasked('sort_by')),
};

const refusedWhen = (shown: Shown, isMeant: (request: CarriedRequest) => boolean): Row => [
  ['success-expected', 'encodings-agree'],
  when(isMeant, refused(400)),
  shown,
];

/** Each end of each range, refused. */
function ends(): Rows {
  const rows = Object.entries(synthesisRanges).flatMap(([name, range]) =>
    [range.minimum, range.maximum].map((end): [string, Row] => [
      `${name} of exactly ${end} is refused`,
      refusedWhen(
        ['speech-wav-1', 'speech-wav-2'],
        (request) => valueAt(fieldsOf(request) ?? {}, name) === end,
      ),
    ]),
  );
  return Object.fromEntries(rows);
}

const accepted = 'bad request accepted';
const narrow = 'good request refused';

/** Servers that keep no limit, and servers that keep one that is too narrow. */
export const requestsAccepted: readonly Mutant[] = [
  ...table('createSpeech', accepted, { ...ranges('minimum'), ...speech }),
  ...table('streamSpeechWithTimestamps', accepted, { ...ranges('maximum'), ...streams }),
  ...table('listModels', accepted, lists, ['list-refusals']),
  ...table('createSpeech', narrow, {
    ...ends(),
    'a dialogue is refused': refusedWhen(['voice-dialogue'], (request) =>
      Array.isArray(fieldsOf(request)?.reference_id),
    ),
  }),
  ...table('createTranscription', narrow, {
    'exactly one second is refused': refusedWhen(['transcription-shortest'], () => true),
  }),
  ...table('createModel', narrow, {
    'MessagePack is refused': refusedWhen(['voice-from-msgpack'], (request) =>
      mediaTypeOf(request).endsWith('msgpack'),
    ),
    'JSON is refused': refusedWhen(['voice-from-json'], () => true),
  }),
  ...table('streamSpeechWithTimestamps', narrow, {
    'latency balanced is refused': refusedWhen(
      ['stream-balanced'],
      (request) => fieldsOf(request)?.latency === 'balanced',
    ),
  }),
];

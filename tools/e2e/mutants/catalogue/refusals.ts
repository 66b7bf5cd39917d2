import { type OperationId, operationTable, refusals } from '@speech-api/types';
import { sandboxKey } from '../../test/testing/use-sandbox.ts';
import type { AnswerChange } from '../carried.ts';
import {
  bytes,
  field,
  goodKey,
  header,
  json,
  keyedWith,
  leftOut,
  object,
  onStatus,
  refused,
  set,
  status,
  text,
  when,
} from '../change.ts';
import { type Mutant, type Row, type Rows, type Topic, table } from '../mutant.ts';
import { answerOf, operations, resolved, successOf } from '../specification.ts';
import { fieldBreaks } from './fields.ts';

/** Which entry of the spec's table of refusals each topic is about, and its words. */
const entries: readonly (readonly [topic: Topic, id: string, words: string])[] = [
  ['key', 'key-unknown', 'a bad key'],
  ['schema', 'schema', 'a broken schema'],
  ['rule', 'rule', 'a broken rule'],
  ['media type', 'media-type', 'an unknown media type'],
  ['not found', 'not-found', 'an unknown id'],
  ['no upgrade', 'upgrade-required', 'a plain request'],
];

const inference = ['createSpeech', 'streamSpeechWithTimestamps', 'createTranscription'] as const;

/** Operations whose requests have something that a schema can refuse: a body, or a query with numbers. */
const withSchema: readonly OperationId[] = [...inference, 'listModels', 'createModel', 'updateModel'];

const withAnswer = operations.filter((operation) => operation !== 'openLiveSession');
const inJson = operations.filter((operation) => successOf(operation) !== undefined);

/** The refusals of an operation that a judge with one good key can bring about. */
function refusalsSeen(operation: OperationId) {
  return entries.flatMap(([topic, id, words]) => {
    const entry = refusals.find((one) => one.id === id);
    if (entry === undefined) throw new Error(`the spec has no refusal ${id}`);
    const applies = entry.applies_to?.includes(operation) ?? true;
    if (!applies || (id === 'schema' && !withSchema.includes(operation))) return [];
    // Speech is asked for in another media type at one of its two operations.
    if (id === 'media-type' && operation === 'streamSpeechWithTimestamps') return [];
    if (answerOf(operation, entry.status) === undefined) return [];
    return [{ status: entry.status, topic, words }];
  });
}

/** Another status in place of the documented one, and refusals of what is right. */
function statuses(): Mutant[] {
  const ofSuccess = withAnswer.flatMap((operation) => {
    const other = operationTable[operation].successStatus === 201 ? 200 : 202;
    return table(operation, 'status', { [`success is ${other}`]: ['success-status', status(other)] });
  });
  const ofRefusals = operations.flatMap((operation) =>
    refusalsSeen(operation).flatMap(({ status: given, topic, words }) => {
      const to = (instead: number) => ({ answer: onStatus(given, status(instead)) });
      const becomes = `${given} for ${words} becomes`;
      const letIn = topic === 'key' ? 'key-checked' : 'refusal-expected';
      const others: Rows = {
        [`${becomes} 500`]: ['server-fault', to(500)],
        [`${becomes} another refusal, 409`]: [['refusal-status', 'status-documented'], to(409)],
      };
      const accepted: Rows = { [`${becomes} 200`]: [letIn, to(200)] };
      return [
        ...table(operation, 'status', others, topic),
        ...table(operation, topic === 'key' ? 'key let in' : 'bad request accepted', accepted, topic),
      ];
    }),
  );
  return [
    ...ofSuccess,
    ...table(withAnswer, 'good request refused', {
      'a good request is refused with 400': ['success-expected', refused(400)],
      'a good request is answered with 500': ['success-expected', refused(500)],
      'a good request is redirected to nowhere': [
        'success-expected',
        (answer) => ({ ...answer, status: 304, body: Buffer.alloc(0) }),
      ],
    }),
    ...ofRefusals,
  ];
}

/** Operations whose errors are broken field by field; the bodies of the others are broken as a whole. */
const inEveryField: readonly OperationId[] = ['createSpeech', 'listModels'];

const shape = ['error-body-shape', 'field-present', 'field-type'];

/** The bodies of refusals: each field broken, and bodies of neither shape. */
function errorBodies(): Mutant[] {
  return operations.flatMap((operation) =>
    // One refusal of each shape an operation; the others come from the same place in any server.
    refusalsSeen(operation)
      .filter(({ topic }) => topic === 'key' || topic === 'schema')
      .flatMap(({ status: given, topic }) => {
        const schema = answerOf(operation, given) ?? {};
        const fields = inEveryField.includes(operation) ? fieldBreaks(schema) : [];
        const rows = [
          ...fields
            // `reason` may be anything, and issues are broken by their fields.
            .filter(({ field }) => field !== 'reason')
            .map(({ words, field, change }): [string, Row] => {
              const rules = field.split('.').at(-1) === 'in' ? [...shape, 'issues-name-their-part'] : shape;
              return [`with ${words}`, [rules, json(change)]];
            }),
          ...Object.entries(resolved(schema).type === 'array' ? lists : generals),
          ...Object.entries(bodies),
        ];
        return rows.flatMap(([words, [rules, change]]) =>
          table(operation, words === 'is called text' ? 'media type' : 'error body', {
            [`${given} ${words}`]: [rules, { answer: onStatus(given, change as AnswerChange) }, topic],
          }),
        );
      }),
  );
}

const bodies: Rows = {
  'is a page': [
    ['error-body-shape', 'error-media-type'],
    text('text/html', '<html><body><h1>Not so</h1></body></html>'),
  ],
  'has no body': ['error-body-shape', text('application/json', '')],
  'is cut JSON': [['error-body-shape', 'body-decodes'], bytes((body) => body.subarray(0, -2))],
  'is called text': [['error-media-type', 'media-type-documented'], text('text/plain', (before) => before)],
};

const generals: Rows = {
  'tells another status in its body': ['error-body-status', field('status', (told) => Number(told) + 1)],
};

const lists: Rows = {
  'lists nothing': ['issues-are-listed', json(() => [])],
  'is a general error': ['refusal-shape', json(() => ({ status: 422, message: 'Not so.' }))],
  'lists words': [['error-body-shape', 'field-type'], json(() => ['temperature is too high'])],
};

/** Another media type over the same bytes, or none. */
function mediaTypes(): Mutant[] {
  const named = (rules: string | readonly string[], types: readonly string[]): Rows =>
    Object.fromEntries(
      types.map((type) => [`success is called ${type}`, [rules, header('content-type', type)]]),
    );
  const nameless = (rules: string | readonly string[]): Rows => ({
    'success is called nothing': [rules, header('content-type', undefined)],
  });
  const documented = 'media-type-documented';
  const ofJson = ['text/plain', 'text/html; charset=utf-8', 'application/octet-stream', 'json'];
  const ofStream = ['text/plain', 'application/json', 'application/x-ndjson', 'application/octet-stream'];
  return [
    ...table(inJson, 'media type', { ...named(documented, ofJson), ...nameless(documented) }),
    ...table('createSpeech', 'media type', {
      ...named('audio-is-not-text', ['text/plain', 'application/json', 'text/html']),
      ...named(['audio-media-type', documented], ['audio/flac', 'video/mp4']),
      ...nameless(['audio-media-type', documented]),
    }),
    ...table('streamSpeechWithTimestamps', 'media type', {
      ...named('stream-media-type', ofStream),
      ...nameless('stream-media-type'),
    }),
  ];
}

/** Headers that are missing or say something else, and bodies that break off. */
function headers(): Mutant[] {
  const notANumber = (name: string): Rows => ({
    [`${name} is no number`]: ['header-values', header(name, 'several')],
  });
  const counted = (rule: string): Rows => ({
    'a length in place of chunks': [
      rule,
      (answer) => ({
        ...answer,
        headers: {
          ...leftOut('transfer-encoding')(answer.headers),
          'content-length': `${answer.body.length}`,
        },
      }),
    ],
  });
  const missing = (given: number, name: string) => ({ answer: onStatus(given, header(name, undefined)) });
  return [
    ...table(withAnswer, 'header', {
      'x-trace-id is no trace id': ['header-values', header('x-trace-id', 'REQUEST-17')],
    }),
    ...table(inference, 'header', {
      ...notANumber('ratelimit-limit-concurrency'),
      ...notANumber('ratelimit-current-concurrency'),
    }),
    ...table('createSpeech', 'header', counted('audio-is-delivered-while-made')),
    ...table('streamSpeechWithTimestamps', 'header', counted('stream-is-chunked')),
    ...table([...new Set([...inference, ...inJson])], 'status', {
      'the body breaks off in the middle': [
        ['body-complete', 'body-ends-cleanly'],
        (answer) => ({ ...answer, cutAfter: Math.floor(answer.body.length / 2) }),
      ],
    }),
    ...table(operations, 'header', {
      '401 without www-authenticate': ['refusal-headers', missing(401, 'www-authenticate'), 'key'],
    }),
    ...table('listModels', 'header', {
      '405 without allow': [
        'refusal-headers',
        { concerns: () => true, ...missing(405, 'allow') },
        ['address-method'],
      ],
    }),
    ...table('openLiveSession', 'header', {
      '426 without upgrade': ['refusal-headers', missing(426, 'upgrade'), 'no upgrade'],
    }),
  ];
}

/** With a bad key the judge asks for nothing that would change a voice model: what it sees there is another refusal than that of the key. */
const harmless: readonly OperationId[] = ['createModel', 'updateModel', 'deleteModel'];

/** A server that lets wrong keys in, and one that asks for none: the real server sees a good key and does the work. */
function keysLetIn(): Mutant[] {
  const letIn = (isLetIn: (given: string | undefined) => boolean) => ({ request: keyedWith(isLetIn) });
  const nearly = letIn((given) => given?.includes(sandboxKey) === true);
  return [
    ...operations.flatMap((operation) => {
      const rules = harmless.includes(operation) ? ['key-checked', 'refusal-status'] : 'key-checked';
      return table(operation, 'key let in', {
        'a wrong key is let in': [rules, letIn((given) => given !== undefined), [`key-unknown-${operation}`]],
        'nobody needs a key': [rules, letIn(() => true), 'key'],
      });
    }),
    ...(['createSpeech', 'listModels', 'getApiCredit', 'openLiveSession'] as const).flatMap((operation) =>
      table(operation, 'key let in', {
        'a letter after the key is let in': ['key-checked', nearly, [`key-tail-${operation}`]],
        'the key under another scheme is let in': ['key-checked', nearly, [`key-scheme-${operation}`]],
      }),
    ),
  ];
}

/** A refusal that gives away the key, one that names another field than the wrong one, and a trace id for all calls. */
function indiscretions(): Mutant[] {
  const message = `seen: ${Buffer.from(goodKey).toString('base64')}`;
  const telling = object((body) => ({ ...body, message }));
  const otherField = json((issues) =>
    Array.isArray(issues) ? issues.map(set('loc', () => ['title'])) : issues,
  );
  return [
    ...table('getApiCredit', 'error body', {
      'a refusal says the key in base64': [
        'key-is-not-shown',
        { answer: (answer, request) => (answer.status < 400 ? undefined : telling(answer, request)) },
        ['wallet-foreign'],
      ],
    }),
    ...table('listModels', 'error body', {
      'an issue names another field': [
        'issues-name-the-field',
        { answer: onStatus(422, otherField) },
        'schema',
      ],
    }),
    ...table('createTranscription', 'trace', {
      'every call has the same trace id': [
        'trace-ids-are-not-shared',
        when(({ headers }) => headers.traceparent === undefined, header('x-trace-id', 'a'.repeat(32))),
        ['transcription-timestamps'],
      ],
    }),
  ];
}

/** Statuses, error bodies, media types and headers that are not as documented, and keys that are let in or told. */
export const refusalsAndHeads: readonly Mutant[] = [
  ...statuses(),
  ...errorBodies(),
  ...mediaTypes(),
  ...headers(),
  ...keysLetIn(),
  ...indiscretions(),
];

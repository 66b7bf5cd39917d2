import { type OperationId, refusals } from '@speech-api/types';
import type { AnswerChange, CarriedRequest } from '../carried.ts';
import { bytes, header, isObject, json, object, onStatus, refused, status, text, when } from '../change.ts';
import { type Mutant, type Row, type Topic, table } from '../mutant.ts';
import { operationOf, operations, resolved } from '../specification.ts';
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

/** Operations whose requests have something that a schema can refuse: a body, or a query with numbers. */
const withSchema: readonly OperationId[] = [
  ...(['createSpeech', 'streamSpeechWithTimestamps', 'createTranscription'] as const),
  ...(['listModels', 'createModel', 'updateModel'] as const),
];

/** The refusals of an operation that a judge with one good key can bring about. */
function refusalsSeen(operation: OperationId) {
  return entries.flatMap(([topic, id, words]) => {
    const entry = refusals.find((one) => one.id === id);
    if (entry === undefined) throw new Error(`the spec has no refusal ${id}`);
    const applies = entry.applies_to?.includes(operation) ?? true;
    if (!applies || (id === 'schema' && !withSchema.includes(operation))) return [];
    // Speech is asked for in another media type at one of its two operations.
    if (id === 'media-type' && operation === 'streamSpeechWithTimestamps') return [];
    if (operationOf(operation).answers[String(entry.status)] === undefined) return [];
    return [{ status: entry.status, topic, words }];
  });
}

/** Another status in place of the documented one, and refusals of what is right. */
export function statuses(): Mutant[] {
  return operations.flatMap(({ operationId, success }) => {
    const other = success === 201 ? 200 : 202;
    const good = ['success-expected'];
    const ofSuccess =
      operationId === 'openLiveSession'
        ? []
        : [
            ...table(operationId, 'status', [[`success is ${other}`, ['success-status'], status(other)]]),
            ...table(operationId, 'good request refused', [
              ['a good request is refused with 400', good, refused(400)],
              ['a good request is answered with 500', good, refused(500)],
              ['a good request is redirected to nowhere', good, toNowhere],
            ]),
          ];
    const ofRefusals = refusalsSeen(operationId).flatMap(({ status: given, topic, words }) => {
      const to = (instead: number) => ({ answer: onStatus(given, status(instead)) });
      const becomes = `${given} for ${words} becomes`;
      const letIn = topic === 'key' ? 'key-checked' : 'refusal-expected';
      return [
        ...table(operationId, 'status', [
          [`${becomes} 500`, ['server-fault'], to(500), topic],
          [`${becomes} another refusal, 409`, ['refusal-status', 'status-documented'], to(409), topic],
        ]),
        ...table(operationId, topic === 'key' ? 'key let in' : 'bad request accepted', [
          [`${becomes} 200`, [letIn], to(200), topic],
        ]),
      ];
    });
    return [...ofSuccess, ...ofRefusals];
  });
}

const toNowhere: AnswerChange = (answer) => ({ ...answer, status: 304, body: Buffer.alloc(0) });

/** Operations whose errors are broken field by field; the bodies of the others are broken as a whole. */
const inEveryField: readonly OperationId[] = ['createSpeech', 'listModels'];

/** The bodies of refusals: each field broken, and bodies of neither shape. */
export function errorBodies(): Mutant[] {
  return operations.flatMap(({ operationId, answers }) =>
    // One refusal of each shape an operation; the others come from the same place in any server.
    refusalsSeen(operationId)
      .filter(({ topic }) => topic === 'key' || topic === 'schema')
      .flatMap(({ status: given, topic }) => {
        const schema = answers[String(given)] ?? {};
        const fields = inEveryField.includes(operationId) ? fieldBreaks(schema) : [];
        const shape = ['error-body-shape', 'field-present', 'field-type'];
        const rows: Row[] = [
          ...fields
            // `reason` may be anything, and issues are broken by their fields.
            .filter(({ field }) => field !== 'reason')
            .map(({ words, field, change }): Row => {
              const rules = field.split('.').at(-1) === 'in' ? [...shape, 'issues-name-their-part'] : shape;
              return [`with ${words}`, rules, json(change)];
            }),
          ...(resolved(schema).type === 'array' ? lists : generals(given)),
          ...bodies,
        ];
        return rows.flatMap(([words, rules, change]) =>
          table(operationId, words === 'is called text' ? 'media type' : 'error body', [
            [`${given} ${words}`, rules, { answer: onStatus(given, change as AnswerChange) }, topic],
          ]),
        );
      }),
  );
}

const asPage = text('text/html', '<html><body><h1>Not so</h1></body></html>');

const bodies: readonly Row[] = [
  ['is a page', ['error-body-shape', 'error-media-type'], asPage],
  ['has no body', ['error-body-shape'], text('application/json', '')],
  ['is cut JSON', ['error-body-shape', 'body-decodes'], bytes((body) => body.subarray(0, -2))],
  ['is called text', ['error-media-type', 'media-type-documented'], text('text/plain', (before) => before)],
];

const generals = (given: number): readonly Row[] => [
  [
    'tells another status in its body',
    ['error-body-status'],
    object((body) => ({ ...body, status: given + 1 })),
  ],
];

const lists: readonly Row[] = [
  ['lists nothing', ['issues-are-listed'], json(() => [])],
  ['is a general error', ['refusal-shape'], json(() => ({ status: 422, message: 'Not so.' }))],
  ['lists words', ['error-body-shape', 'field-type'], json(() => ['temperature is too high'])],
];

/** Another media type over the same bytes, or none. */
export function mediaTypes(): Mutant[] {
  const named = (types: readonly string[], rules: readonly string[]): Row[] =>
    types.map((type) => [`success is called ${type}`, rules, header('content-type', type)]);
  const nameless = (...rules: readonly string[]): Row => [
    'success is called nothing',
    rules,
    header('content-type', undefined),
  ];
  const documented = 'media-type-documented';
  const ofJson = ['text/plain', 'text/html; charset=utf-8', 'application/octet-stream', 'json'];
  const ofStream = ['text/plain', 'application/json', 'application/x-ndjson', 'application/octet-stream'];
  return [
    ...operations
      .filter(({ answers, success }) => answers[String(success)] !== undefined)
      .flatMap(({ operationId }) =>
        table(operationId, 'media type', [...named(ofJson, [documented]), nameless(documented)]),
      ),
    ...table('createSpeech', 'media type', [
      ...named(['text/plain', 'application/json', 'text/html'], ['audio-is-not-text']),
      ...named(['audio/flac', 'video/mp4'], ['audio-media-type', documented]),
      nameless('audio-media-type', documented),
    ]),
    ...table('streamSpeechWithTimestamps', 'media type', [
      ...named(ofStream, ['stream-media-type']),
      nameless('stream-media-type'),
    ]),
  ];
}

const inference = ['createSpeech', 'streamSpeechWithTimestamps', 'createTranscription'] as const;

/** Headers that are missing or say something else, and bodies that break off. */
export function headers(): Mutant[] {
  const requests = operations.filter(({ operationId }) => operationId !== 'openLiveSession');
  const withBody = requests.filter(
    ({ answers, success, operationId }) => answers[String(success)] ?? operationId.includes('Speech'),
  );
  const several = (name: string): Row => [`${name} is no number`, ['header-values'], header(name, 'several')];
  const counted = (rule: string): Row => [
    'a length in place of chunks',
    [rule],
    (answer, request) =>
      header('content-length', String(answer.body.length))(
        header('transfer-encoding', undefined)(answer, request) ?? answer,
        request,
      ),
  ];
  const missing = (given: number, name: string) => ({ answer: onStatus(given, header(name, undefined)) });
  const anywhere = { concerns: () => true };
  return [
    ...requests.flatMap(({ operationId }) =>
      table(operationId, 'header', [
        ['x-trace-id is no trace id', ['header-values'], header('x-trace-id', 'REQUEST-17')],
      ]),
    ),
    ...inference.flatMap((operation) =>
      table(operation, 'header', [
        several('ratelimit-limit-concurrency'),
        several('ratelimit-current-concurrency'),
      ]),
    ),
    ...table('createSpeech', 'header', [counted('audio-is-delivered-while-made')]),
    ...table('streamSpeechWithTimestamps', 'header', [counted('stream-is-chunked')]),
    ...withBody.flatMap(({ operationId }) =>
      table(operationId, 'status', [
        [
          'the body breaks off in the middle',
          ['body-complete', 'body-ends-cleanly'],
          (answer) => ({ ...answer, cutAfter: Math.floor(answer.body.length / 2) }),
        ],
      ]),
    ),
    ...operations.flatMap(({ operationId }) =>
      table(operationId, 'header', [
        ['401 without www-authenticate', ['refusal-headers'], missing(401, 'www-authenticate'), 'key'],
      ]),
    ),
    ...table('listModels', 'header', [
      [
        '405 without allow',
        ['refusal-headers'],
        { ...anywhere, ...missing(405, 'allow') },
        ['address-method'],
      ],
    ]),
    ...table('openLiveSession', 'header', [
      ['426 without upgrade', ['refusal-headers'], missing(426, 'upgrade'), 'no upgrade'],
    ]),
  ];
}

/** With a bad key the judge asks for nothing that would change a voice model: what it sees there is another refusal than that of the key. */
const harmless: readonly OperationId[] = ['createModel', 'updateModel', 'deleteModel'];

/** A server that lets wrong keys in, and one that asks for none: the real server sees a good key and does the work. */
export function keysLetIn(goodKey: string): Mutant[] {
  const good = `Bearer ${goodKey}`;
  const letIn = (isLetIn: (given: string | undefined) => boolean) => ({
    request: (request: CarriedRequest) =>
      request.headers.authorization !== good && isLetIn(request.headers.authorization)
        ? { ...request, headers: { ...request.headers, authorization: good } }
        : undefined,
  });
  const nearly = letIn((given) => given?.includes(goodKey) === true);
  return [
    ...operations.flatMap(({ operationId }) => {
      const rules = harmless.includes(operationId) ? ['key-checked', 'refusal-status'] : ['key-checked'];
      const wrong = letIn((given) => given !== undefined);
      return table(operationId, 'key let in', [
        ['a wrong key is let in', rules, wrong, [`key-unknown-${operationId}`]],
        ['nobody needs a key', rules, letIn(() => true), 'key'],
      ]);
    }),
    ...(['createSpeech', 'listModels', 'getApiCredit', 'openLiveSession'] as const).flatMap((operation) =>
      table(operation, 'key let in', [
        ['a letter after the key is let in', ['key-checked'], nearly, [`key-tail-${operation}`]],
        ['the key under another scheme is let in', ['key-checked'], nearly, [`key-scheme-${operation}`]],
      ]),
    ),
  ];
}

/** A refusal that gives away the key, and one that names another field than the wrong one. */
export function indiscretions(goodKey: string): Mutant[] {
  const message = `seen: ${Buffer.from(`Bearer ${goodKey}`).toString('base64')}`;
  const otherField = json((issues) =>
    Array.isArray(issues)
      ? issues.map((issue) => ({ ...(isObject(issue) ? issue : {}), loc: ['title'] }))
      : issues,
  );
  const telling = object((body) => ({ ...body, message }));
  const shown = {
    answer: (...given: Parameters<AnswerChange>) => (given[0].status < 400 ? undefined : telling(...given)),
  };
  return [
    ...table('getApiCredit', 'error body', [
      ['a refusal says the key in base64', ['key-is-not-shown'], shown, ['wallet-foreign']],
    ]),
    ...table('listModels', 'error body', [
      [
        'an issue names another field',
        ['issues-name-the-field'],
        { answer: onStatus(422, otherField) },
        'schema',
      ],
    ]),
    ...table('createTranscription', 'trace', [
      [
        'every call has the same trace id',
        ['trace-ids-are-not-shared'],
        when(
          ({ headers: { traceparent } }) => traceparent === undefined,
          header('x-trace-id', 'a'.repeat(32)),
        ),
        ['transcription-timestamps'],
      ],
    ]),
  ];
}

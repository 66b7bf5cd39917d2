import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ApiError, ProtocolError, SpeechError } from '../../src/index.ts';
import { clientOf, errorOf, testKey, tone } from '../../src/testing/samples.ts';
import { sendJson, startServer } from '../../src/testing/start-server.ts';

// Whatever a service, a gateway or a framework answers: one error of the family, with what was said, and one POST.

type Client = ReturnType<typeof clientOf>;
const request = { text: 'Hello there.', format: 'pcm' } as const;
const calls: Record<string, (client: Client) => Promise<unknown>> = {
  audio: async (client) => (await client.speech.create(request)).bytes(),
  stream: async (client) => (await client.speech.streamWithTimestamps(request)).collect(),
  json: (client) => client.transcriptions.create({ audio: tone() }),
};
const everyCall = ['audio', 'stream', 'json'] as const;
const mediaTypes: Record<string, string> = {
  audio: 'audio/pcm',
  stream: 'text/event-stream',
  json: 'application/json',
};

async function outcome(call: string, script: (response: ServerResponse) => unknown, options = {}) {
  const server = await startServer((_request, response) => script(response));
  const error = await errorOf(calls[call]?.(clientOf(server.url, options)) ?? Promise.resolve());
  expect(error).toBeInstanceOf(SpeechError);
  expect(server.seen).toHaveLength(1);
  const written = inspect(error, { showHidden: true, depth: 9 });
  expect(written).not.toContain(testKey);
  return error as SpeechError & ApiError;
}

const classes: readonly (readonly [number, string, string])[] = [
  ...[300, 301, 302, 303, 304, 305, 306, 307, 308].map(
    (status) => [status, 'ProtocolError', 'protocol'] as const,
  ),
  [400, 'BadRequestError', 'bad_request'],
  [401, 'AuthenticationError', 'authentication'],
  [402, 'InsufficientCreditError', 'insufficient_credit'],
  [403, 'PermissionDeniedError', 'permission_denied'],
  [404, 'NotFoundError', 'not_found'],
  [405, 'ApiError', 'api'],
  [408, 'ApiError', 'api'],
  [409, 'ApiError', 'api'],
  [413, 'PayloadTooLargeError', 'payload_too_large'],
  [415, 'UnsupportedMediaTypeError', 'unsupported_media_type'],
  [418, 'ApiError', 'api'],
  [422, 'InvalidRequestError', 'invalid_request'],
  [429, 'TooManyRequestsError', 'too_many_requests'],
  [451, 'ApiError', 'api'],
  [499, 'ApiError', 'api'],
  ...[500, 501, 502, 503, 504, 520, 529, 599, 600, 666, 799, 999].map(
    (status) => [status, 'ServerError', 'server'] as const,
  ),
];

test.each(classes)('status %i is a %s with the code %s', async (status, name, code) => {
  const error = await outcome('audio', (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(status === 304 ? '' : '{"message":"as told"}'),
  );
  expect(error).toMatchObject({ name, code, status });
});

test('status 407 is a ConnectionError, for fetch keeps the answer of a proxy to itself', async () => {
  const error = await outcome('audio', (response) => response.writeHead(407).end());
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection' });
});

test.each([201, 202, 203, 204, 205, 206, 207, 226, 299])(
  'status %i in place of a 200 is an error',
  async (status) => {
    for (const call of everyCall) {
      const error = await outcome(call, (response) =>
        response.writeHead(status, { 'content-type': mediaTypes[call] }).end(),
      );
      expect(error).toMatchObject({ name: 'ProtocolError', code: 'protocol', status });
    }
  },
);

const saying = 'the voice is out of order';
test.each([
  ['the general body', { status: 400, message: saying }],
  ['the reason of the general body', { status: 400, message: null, reason: saying }],
  ['detail as text', { detail: saying }],
  ['detail as a list', { detail: [{ loc: ['body', 'text'], msg: saying, type: 'value' }] }],
  ['detail as an object', { detail: { message: saying } }],
  ['error.message', { error: { message: saying, type: 'invalid' } }],
  ['error as text', { error: saying }],
  ['a list of errors', { errors: [{ message: saying }] }],
  ['title', { type: 'about:blank', title: saying }],
  ['error_description', { error: 'bad', error_description: saying }],
  ['a capital letter', { Message: saying }],
  ['a list of texts', [saying]],
  ['plain text', saying],
  ['HTML', `<!doctype html><html><body><h1>${saying}</h1></body></html>`],
  ['an array in message', { message: [saying] }],
])('an error is explained by %s', async (_name, body) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  const error = await outcome('audio', (response) =>
    response.writeHead(400, { 'content-type': type }).end(text),
  );
  expect(error).toMatchObject({ name: 'BadRequestError' });
  expect(error.message).toContain(saying);
});

test.each([
  ['entries that are null', [null, 5, { msg: saying }]],
  ['loc that is no list', [{ loc: 'text', msg: saying }]],
  ['loc that holds objects', [{ loc: [{}, null], msg: saying }]],
  ['msg that is no text', [{ loc: ['text'], msg: { deep: true } }]],
  ['an empty list', []],
  ['a deep one', JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
])('a validation list with %s is an InvalidRequestError all the same', async (_name, body) => {
  const error = await outcome('audio', (response) => sendJson(response, body, 422));
  expect(error).toMatchObject({ name: 'InvalidRequestError', status: 422 });
  expect(error.message).not.toMatch(/undefined|object Object/);
});

test.each(everyCall)('a JSON error under a 200 keeps its message: %s', async (call) => {
  const error = await outcome(call, (response) => sendJson(response, { status: 402, message: saying }));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error.message).toContain(saying);
});

test.each([
  ['in the body', { message: `no key ${testKey} here` }, {}],
  ['in plain text', `bad token: Bearer ${testKey}`, {}],
  ['in a deep field', { detail: { sent: [`Bearer ${testKey}`] } }, {}],
  ['in a header', { message: 'no' }, { 'x-trace-id': testKey, 'x-echo': testKey }],
])('an error that repeats the key %s does not show it', async (_name, body, headers) => {
  const error = await outcome('audio', (response) =>
    response
      .writeHead(401, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body)),
  );
  expect(JSON.stringify(error)).not.toContain(testKey);
  expect(error).toMatchObject({ name: 'AuthenticationError', status: 401 });
});

test('a 200 of HTML that repeats the key does not show it', async () => {
  const error = await outcome('json', (response) => response.end(`<p>${testKey}</p>`));
  expect(error.message).not.toContain(testKey);
});

test.each([
  'not-a-trace',
  '0'.repeat(32),
  'A'.repeat(32),
  `${'a'.repeat(32)}\u00e9`,
  testKey,
  'x'.repeat(500),
])('a trace id %s is not passed on', async (traceId) => {
  const error = await outcome('audio', (response) =>
    sendJson(response, { message: 'no' }, 400, { 'x-trace-id': traceId }),
  );
  expect(error.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(error.traceId).not.toBe('0'.repeat(32));
});

const wrongValues: readonly (readonly [string, (client: Client) => PromiseLike<unknown>, unknown])[] = [
  ['a list without items', ({ models }) => models.list(), { total: 0, has_more: false }],
  ['a list whose items are no list', ({ models }) => models.list(), { total: 0, items: {}, has_more: false }],
  [
    'a list with an item that is null',
    ({ models }) => models.list(),
    { total: 1, items: [null], has_more: false },
  ],
  [
    'a transcription whose text is a number',
    ({ transcriptions }) => transcriptions.create({ audio: tone() }),
    { text: 5, duration: 1, segments: [] },
  ],
  [
    'a transcription whose segments are no list',
    ({ transcriptions }) => transcriptions.create({ audio: tone() }),
    { text: 'x', duration: 1, segments: 'none' },
  ],
  [
    'timed segments that are missing',
    ({ transcriptions }) => transcriptions.create({ audio: tone(), ignore_timestamps: false }),
    { text: 'x', duration: 1 },
  ],
  ['a model that is a list', ({ models }) => models.get('voice'), [{ _id: 'voice' }]],
  ['a model that is null', ({ models }) => models.get('voice'), null],
  [
    'a model without state that is waited for',
    ({ models }) => models.waitUntilTrained('voice'),
    { _id: 'voice' },
  ],
  [
    'a created model without _id',
    ({ models }) => models.create({ type: 'tts', title: 'V', train_mode: 'fast', voices: [tone()] }),
    {},
  ],
  ['a credit without credit', ({ wallet }) => wallet.getApiCredit(), { user_id: 'me' }],
  ['a credit that is a float', ({ wallet }) => wallet.getApiCredit(), { user_id: 'me', credit: 0.1 }],
  ['a package without balance', ({ wallet }) => wallet.getPackage(), { user_id: 'me', total: 1 }],
];

test.each(wrongValues)('%s is a ProtocolError', async (_name, call, body) => {
  const server = await startServer((_request, response) => sendJson(response, body));
  const error = await errorOf(call(clientOf(server.url)));
  expect(error).toBeInstanceOf(ProtocolError);
  expect(server.seen).toHaveLength(1);
});

test('an error is an ApiError with a body that can be read, whatever its media type claims', async () => {
  const error = await outcome('audio', (response) =>
    response.writeHead(400, { 'content-type': 'audio/mpeg' }).end('{"message":"no"}'),
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error.body).toEqual({ message: 'no' });
});

import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createSpeechClient } from './client.ts';
import { type ApiError, ConnectionError, SpeechError } from './index.ts';
import { clientOf, errorOf, testKey, voiceOf } from './testing/samples.ts';
import { sendJson, startServer } from './testing/start-server.ts';

// Errors of the service, a gateway or fetch are mapped to a class and a message that never has the key.

const request = { text: 'Hello there.', format: 'pcm' } as const;
const nowhere = 'http://127.0.0.1:9';
const saying = 'the voice is out of order';
const json = { 'content-type': 'application/json' };

/** Everything that a log, a dashboard or a debugger may show of an error. */
function shownOf(error: unknown): string {
  return inspect(error, { showHidden: true, depth: 9 }) + JSON.stringify(error) + String(error);
}

/** The error of one POST that is answered like this. */
async function errorFor(answer: (response: ServerResponse) => unknown): Promise<ApiError> {
  const server = await startServer((_request, response) => answer(response));
  const error = await errorOf(clientOf(server.url).speech.create(request));
  expect(error).toBeInstanceOf(SpeechError);
  expect(server.seen).toHaveLength(1);
  expect(shownOf(error)).not.toContain(testKey);
  return error as ApiError;
}

const classes: readonly (readonly [name: string, code: string, statuses: readonly number[]])[] = [
  ['ProtocolError', 'protocol', [300, 301, 302, 303, 304, 305, 306, 307, 308]],
  ['BadRequestError', 'bad_request', [400]],
  ['AuthenticationError', 'authentication', [401]],
  ['InsufficientCreditError', 'insufficient_credit', [402]],
  ['PermissionDeniedError', 'permission_denied', [403]],
  ['NotFoundError', 'not_found', [404]],
  ['ApiError', 'api', [405, 408, 409, 418, 451, 499]],
  ['PayloadTooLargeError', 'payload_too_large', [413]],
  ['UnsupportedMediaTypeError', 'unsupported_media_type', [415]],
  ['InvalidRequestError', 'invalid_request', [422]],
  ['TooManyRequestsError', 'too_many_requests', [429]],
  ['ServerError', 'server', [500, 503, 520, 599, 600, 700, 999]],
];

test.each(classes)('a %s has the code %s', async (name, code, statuses) => {
  for (const status of statuses) {
    const body = status === 304 ? '' : '{"message":"as told"}';
    const error = await errorFor((response) => response.writeHead(status, json).end(body));
    expect(error).toMatchObject({ name, code, status });
  }
});

test.each([
  ['the general body', { status: 400, message: saying }],
  ['the reason of the general body', { status: 400, message: null, reason: saying }],
  ['detail as a text', { detail: saying }],
  ['detail as a list', { detail: [{ loc: ['body', 'text'], msg: saying, type: 'value' }] }],
  ['error.message', { error: { message: saying, type: 'invalid' } }],
  ['title', { type: 'about:blank', title: saying }],
  ['plain text', saying],
  ['HTML', `<!doctype html><style>p { color: red }</style><h1>${saying}</h1>${'<p>x</p>'.repeat(5000)}`],
])('an error is explained by %s', async (_name, body) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  // The declared media type is ignored.
  const error = await errorFor((response) =>
    response.writeHead(400, { 'content-type': 'audio/mpeg' }).end(text),
  );
  expect(error.message).toContain(saying);
  expect(error.message).not.toMatch(/[<>]|color/);
  expect(error.message.length + JSON.stringify(error.body).length).toBeLessThan(800);
});

test.each([[''], [null], [42], [[]], [{}], [{ message: 7 }]])('the body %j is an error too', async (body) => {
  expect(await errorFor((response) => sendJson(response, body, 500))).toMatchObject({
    name: 'ServerError',
    message: 'createSpeech: 500 with an unexplained body',
  });
});

const issue = { loc: ['body', 'temperature'], type: 'range', msg: 'must be at most 1', ctx: '' };
test.each([
  ['the list of the interface', [issue], [issue]],
  ['a list under detail', { detail: [issue] }, [issue]],
  ['a list that echoes the request', { detail: [{ ...issue, input: request.text }] }, [issue]],
  ['an empty list', [], []],
  ['a general body', { status: 422, message: saying }, []],
])('a validation list is read by its shape, at any status: %s', async (_name, body, issues) => {
  for (const status of [400, 422]) {
    const error = await errorFor((response) => sendJson(response, body, status));
    expect(error).toMatchObject({ status, issues });
    expect(error.message).not.toMatch(/undefined|object Object/);
    expect(shownOf(error)).not.toContain(request.text);
    if ((issues as unknown[]).includes(issue))
      expect(error.message).toContain('body.temperature: must be at most 1');
  }
});

test.each([
  [{ message: `no key ${testKey} here` }, {}],
  [`bad token: Bearer ${testKey}`, {}],
  [{ detail: { sent: [`Bearer ${testKey}`] } }, {}],
  [{ message: 'no' }, { 'x-trace-id': testKey, 'x-echo': testKey }],
])('an answer %j that repeats the key does not show it', async (body, headers) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  await errorFor((response) => response.writeHead(401, headers).end(text));
  await errorFor((response) =>
    response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(text),
  );
});

test.each(['not-a-trace', '0'.repeat(32), 'A'.repeat(32), `${'a'.repeat(32)}\u00e9`, 'x'.repeat(500)])(
  'a trace id %s is not passed on',
  async (traceId) => {
    const headers = { 'x-trace-id': traceId };
    const error = await errorFor((response) => sendJson(response, { message: 'no' }, 400, headers));
    expect(error.traceId).toBeUndefined();
  },
);

test.each([
  ['in its message', () => new Error(`proxy said Bearer ${testKey}`)],
  ['as a text', () => `proxy said Bearer ${testKey}`],
  ['in its cause', () => new TypeError('fetch failed', { cause: new Error(`proxy said ${testKey}`) })],
  ['in a field', () => Object.assign(new Error('proxy said no'), { config: { headers: { key: testKey } } })],
])('a key that a fetch throws %s is not in the error, which names the host alone', async (_name, thrown) => {
  const fetch = () => Promise.reject(thrown());
  const error = (await errorOf(clientOf(`${nowhere}/deep/path`, { fetch }).speech.create(request))) as Error;
  expect(error.message).toMatch(/^createSpeech: the connection to 127\.0\.0\.1:9 failed: proxy said/);
  expect(shownOf(error) + shownOf(error.cause)).not.toContain(testKey);
  expect(error.cause).toBeInstanceOf(Error);
});

test('a connection that fails keeps its cause', async () => {
  const cause = Object.assign(new Error('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
  const fetch = () => Promise.reject(cause);
  const error = (await errorOf(clientOf(nowhere, { fetch }).speech.create(request))) as Error;
  expect(error.message).toBe('createSpeech: the connection to 127.0.0.1:9 failed: ECONNREFUSED');
  expect(error.cause).toBe(cause);
});

test('a page that says 404 is shown with its address, without a query', async () => {
  const server = await startServer(({ url }, response) => {
    if (url.includes('json')) return sendJson(response, { status: 404, message: 'no voice' }, 404);
    return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  });
  const { models } = clientOf(`${server.url}/api`);
  const error = (await errorOf(models.list({ title: 'mine' }))) as Error;
  expect(error.message).toBe(`listModels: 404 Not found (from ${server.url}/api/model)`);
  const failure = await errorOf(models.get('json'));
  expect(JSON.parse(JSON.stringify(failure))).toMatchObject({
    name: 'NotFoundError',
    message: 'getModel: 404 no voice',
    code: 'not_found',
    status: 404,
  });
});

test.each([
  ['rejects', () => Promise.reject(new Error('vault down')), /^apiKey\(\) failed: vault down/],
  ['never settles', () => new Promise<string>(() => undefined), /^apiKey\(\) gave no key within 300 ms$/],
  ['gives none', () => '', /^the API key that apiKey\(\) gave is empty/],
  ['gives two words', () => 'two words', /^the API key that apiKey\(\) gave is empty or has a space/],
])('a function for the key that %s is asked once, and nothing is sent', async (_name, give, words) => {
  const server = await startServer((_request, response) => sendJson(response, voiceOf('voice')));
  const apiKey = vi.fn(give);
  const timeouts = words.source.includes('300') ? { headers: 300 } : {};
  const client = createSpeechClient({ apiKey, baseUrl: server.url, timeouts });
  const message = expect.stringMatching(words);
  expect(await errorOf(client.models.get('voice'))).toMatchObject({ code: 'configuration', message });
  expect(apiKey).toHaveBeenCalledTimes(1);
  expect(server.seen).toEqual([]);
});

test('the error on a platform without fetch names it', async () => {
  for (const name of ['Request', 'Response']) {
    vi.stubGlobal(name, undefined);
    Reflect.deleteProperty(globalThis, name);
  }
  try {
    const error = await errorOf(clientOf(nowhere).speech.create(request));
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Request is missing; the client needs the fetch API/),
    });
  } finally {
    vi.unstubAllGlobals();
  }
});

test('what an error in a stream of events says is in its body alone, without the key', async () => {
  const server = await startServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`event: error\ndata: no ${testKey}\n\n`),
  );
  const stream = await clientOf(server.url).speech.streamWithTimestamps(request);
  const error = (await errorOf(stream.collect())) as ApiError;
  expect(error.message).toMatch(/^streamSpeechWithTimestamps: the service sent an error in the stream: \d+/i);
  expect([error.name, error.body]).toEqual(['ProtocolError', 'no [key]']);
  expect(shownOf(error)).not.toMatch(/test-key/);
});

test('isInstance needs no `this`, and accepts errors of another copy of the package', async () => {
  const copy = './errors.ts?copy';
  const copied = (await import(/* @vite-ignore */ copy)) as { ConnectionError: typeof ConnectionError };
  const error = new copied.ConnectionError('elsewhere');
  const { isInstance } = SpeechError;
  expect(error).not.toBeInstanceOf(ConnectionError);
  expect([error].some(ConnectionError.isInstance) && isInstance(error)).toBe(true);
  for (const value of [undefined, null, 5, 'x', {}, new Error('x')]) expect(isInstance(value)).toBe(false);
});

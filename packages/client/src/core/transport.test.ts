import { expect, test } from 'vitest';
import {
  AbortError,
  AuthenticationError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
} from '../errors.ts';
import { clientOf, errorOf, tone, voiceOf } from '../testing/samples.ts';
import { sendJson, startServer } from '../testing/start-server.ts';

const model = voiceOf('voice');
const noWait = { minimumDelay: 0, maximumDelay: 50 };

test('a GET is tried again until it succeeds', async () => {
  const server = await startServer((_request, response) =>
    server.seen.length < 3 ? response.writeHead(503).end() : sendJson(response, model),
  );
  const client = clientOf(server.url, { retry: noWait });
  expect(await client.models.get('voice')).toEqual(model);
  expect(server.seen).toHaveLength(3);
});

test('a GET gives up after its retries with the last error', async () => {
  const server = await startServer((_request, response) => response.writeHead(500).end());
  const error = await errorOf(clientOf(server.url, { retry: noWait }).models.get('voice'));
  expect(error).toBeInstanceOf(ServerError);
  expect(server.seen).toHaveLength(3);
});

test('a GET whose connection is reset is tried again', async () => {
  const server = await startServer((_request, response) =>
    server.seen.length === 1 ? response.socket?.destroy() : sendJson(response, model),
  );
  expect(await clientOf(server.url, { retry: noWait }).models.get('voice')).toEqual(model);
  expect(server.seen).toHaveLength(2);
});

test('retry-after beyond the cap gives the error at once', async () => {
  const server = await startServer((_request, response) =>
    sendJson(response, { status: 429, message: 'busy' }, 429, { 'retry-after': '3600' }),
  );
  const error = (await errorOf(clientOf(server.url).models.get('voice'))) as TooManyRequestsError;
  expect(error).toBeInstanceOf(TooManyRequestsError);
  expect(error.retryAfterSeconds).toBe(3600);
  expect(server.seen).toHaveLength(1);
});

test.each([
  ['an error', (response: import('node:http').ServerResponse) => response.writeHead(503).end()],
  ['a reset', (response: import('node:http').ServerResponse) => response.socket?.destroy()],
])('a POST that meets %s is sent exactly once', async (_name, answer) => {
  const server = await startServer((_request, response) => answer(response));
  await errorOf(clientOf(server.url, { retry: noWait }).speech.create({ text: 'Once.' }));
  expect(server.seen).toHaveLength(1);
});

test('a POST is sent again with the same body when the caller says so', async () => {
  const server = await startServer((_request, response) =>
    server.seen.length === 1 ? response.writeHead(503).end() : response.end(tone()),
  );
  for (const middleware of [false, true]) {
    const client = clientOf(server.url, { retry: { ...noWait, methods: ['GET', 'POST'] } });
    if (middleware) client.http.use({ onRequest: () => undefined });
    const audio = await client.speech.create({ text: 'Twice.', format: 'pcm' });
    await audio.bytes();
  }
  expect(server.seen[1]?.body).toEqual(server.seen[0]?.body);
});

test.each([
  ['an error whose body breaks off', 1],
  ['a success that breaks off', 1],
  ['a complete error', 3],
  ['a reset before the headers', 3],
])('%s is met by a POST that may be repeated: sent %s times', async (kind, times) => {
  const server = await startServer((_request, response) => {
    if (kind === 'a complete error') return response.writeHead(500).end('sorry');
    if (kind === 'a reset before the headers') return response.socket?.destroy();
    const status = kind.startsWith('a success') ? 200 : 503;
    response.writeHead(status, { 'content-type': 'audio/pcm', 'content-length': '100' }).write('ab');
    return setTimeout(() => response.destroy(), 20);
  });
  const client = clientOf(server.url, { retry: { ...noWait, methods: ['POST'] } });
  await errorOf(client.speech.create({ text: 'Hello.', format: 'pcm' }).then((audio) => audio.bytes()));
  expect(server.seen).toHaveLength(times);
});

test('an error body that hangs or breaks off still gives the error of its status', async () => {
  const server = await startServer((request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).write('{"status": 401, ');
    if (request.url.endsWith('cut')) setTimeout(() => response.destroy(), 20);
  });
  const client = clientOf(server.url, { timeouts: { idle: 400 } });
  for (const id of ['hang', 'cut']) {
    expect(await errorOf(client.models.get(id))).toBeInstanceOf(AuthenticationError);
  }
});

test('silence before the headers ends with the phase that timed out', async () => {
  const server = await startServer(() => undefined);
  const client = clientOf(server.url, { timeouts: { headers: 700 } });
  const error = (await errorOf(client.speech.create({ text: 'Hello.' }))) as TimeoutError;
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ phase: 'headers', milliseconds: 700 });
  await expect.poll(() => server.openSockets()).toBe(0);
  expect(server.seen).toHaveLength(1);
});

test('the deadline of a JSON answer covers its body and the retries', async () => {
  const server = await startServer((request, response) => {
    if (request.url.endsWith('drip')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    } else response.writeHead(503, { 'retry-after': '5' }).end();
  });
  const client = clientOf(server.url, { timeouts: { total: 700 } });
  const outcome = { name: 'TimeoutError', phase: 'total' };
  expect(await errorOf(client.models.get('drip'))).toMatchObject(outcome);
  await expect.poll(() => server.openSockets()).toBe(0);
  expect(await errorOf(client.models.get('busy'))).toMatchObject(outcome);
});

test('an injected fetch that ignores its signal cannot hold a call', async () => {
  const fetch = () => new Promise<Response>(() => undefined);
  const client = clientOf('http://127.0.0.1:9', { fetch, timeouts: { headers: 30 } });
  expect(await errorOf(client.models.get('voice'))).toBeInstanceOf(TimeoutError);
  const controller = new AbortController();
  const call = client.models.get('voice', { signal: controller.signal, timeouts: { headers: 5000 } });
  controller.abort(new Error('changed my mind'));
  const error = (await errorOf(call)) as AbortError;
  expect(error).toBeInstanceOf(AbortError);
  expect(error.cause).toEqual(new Error('changed my mind'));
});

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Answer, SpeechAudio, SpeechStream } from '../index.ts';
import { openAudioFile } from '../node.ts';
import type { Fetch } from '../options.ts';
import { clientOf, errorOf, eventOf, tone, voiceOf } from '../testing/samples.ts';
import { sendJson, startServer } from '../testing/start-server.ts';

// Middleware and a custom fetch receive the parts of a call, and these tests show what they may change.

const request = { text: 'Hello there.', format: 'pcm' } as const;
const headers = { 'content-type': 'audio/pcm', 'x-from-service': 'yes' };
const speaking = () => startServer((_request, response) => response.writeHead(200, headers).end(tone()));

const responseReaders: Readonly<
  Record<string, (answer: Answer<SpeechAudio | SpeechStream>) => Promise<unknown>>
> = {
  'reading the response': ({ response }) => response.bytes(),
  'reading the response and its clone': ({ response }) =>
    Promise.all([response.clone().bytes(), response.bytes()]),
  'returning the response from a handler': ({ response }) => new Response(response.body, response).bytes(),
  'cancelling the body of the response': async ({ response }) => response.body?.cancel(),
  'reading the data after a look at the response': async ({ data, response }) => {
    expect([response.status, response.url]).toEqual([200, expect.stringMatching(/v1\/tts/)]);
    expect([response.statusText, response.type]).toEqual(['OK', 'basic']);
    for await (const _ of data);
  },
};
test.each(Object.entries(responseReaders))('%s frees the place of its call', async (_name, readAnswer) => {
  const server = await startServer(({ url }, response) =>
    url.endsWith('with-timestamp')
      ? response.writeHead(200, { 'content-type': 'text/event-stream' }).end(eventOf())
      : response.writeHead(200, headers).end(tone()),
  );
  const { speech } = clientOf(server.url, { concurrency: 1, timeouts: { queue: 1000 } });
  const answer = await speech.create(request).withResponse();
  await readAnswer(answer);
  await expect(answer.data.bytes()).rejects.toThrow('the answer can be read only once');
  await readAnswer(await speech.streamWithTimestamps(request).withResponse());
  const { response } = await speech.create(request).withResponse();
  expect(await response.bytes()).toEqual(tone());
  expect(response.headers.get('x-from-service')).toBe('yes');
});

test('middleware gets an error as the service sent it, of any status', async () => {
  const server = await startServer((_request, response) => sendJson(response, { message: 'no' }, 700));
  const client = clientOf(server.url);
  const seen: unknown[] = [];
  client.http.use({
    onResponse: async ({ response }) =>
      void seen.push(response.status, response.url, await response.clone().json()),
  });
  expect(await errorOf(client.models.get('a', { retry: { retries: 0 } }))).toMatchObject({
    name: 'ServerError',
    status: 700,
    body: { message: 'no' },
  });
  expect(seen).toEqual([700, `${server.url}/model/a`, { message: 'no' }]);
});

test.each(['long', 'stalled'])('an error whose body is %s is read to 64 KiB in time', async (kind) => {
  const server = await startServer((_request, response) => {
    response.writeHead(500).write('x'.repeat(kind === 'long' ? 200_000 : 10));
  });
  const client = clientOf(server.url, { timeouts: { idle: 200 } });
  const lengths: number[] = [];
  client.http.use({
    onResponse: async ({ response }) => void lengths.push((await response.clone().text()).length),
  });
  expect(await errorOf(client.speech.create(request))).toMatchObject({ name: 'ServerError', status: 500 });
  expect(lengths[0]).toBeLessThan(150_000);
  await expect.poll(() => server.openSockets()).toBe(0);
});

test('middleware can look at a body and send another one, which is the same for each try', async () => {
  const server = await startServer((_request, response) =>
    server.seen.length === 1 ? response.writeHead(503).end() : response.writeHead(200, headers).end(tone()),
  );
  const client = clientOf(server.url, { retry: { methods: ['POST'], minimumDelay: 0 } });
  client.http.use({
    async onRequest({ request: made }) {
      const body = { ...(await made.clone().json()), temperature: 0.5 };
      return new Request(made.url, { method: 'POST', headers: made.headers, body: JSON.stringify(body) });
    },
  });
  await (await client.speech.create(request)).bytes();
  const sent = server.seen.map(({ body }) => JSON.parse(String(body)));
  expect(sent).toEqual([0, 1].map(() => ({ ...request, temperature: 0.5 })));
});

test('middleware may read the body, which is sent all the same, and no file is held in memory for it', async () => {
  const server = await speaking();
  const client = clientOf(server.url);
  const texts: string[] = [];
  client.http.use({ onRequest: async ({ request: made }) => void texts.push(await made.text()) });
  await (await client.speech.create(request)).bytes();
  await client.http.POST('/v1/tts', { body: request, parseAs: 'stream' } as never);
  expect(server.seen.map(({ body }) => String(body))).toEqual(texts);
  expect(JSON.parse(texts[1] ?? '')).toEqual(request);

  const unread = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void unread.close());
  onTestFinished(() => unread.closeAllConnections());
  await once(unread, 'listening');
  const { port } = unread.address() as AddressInfo;
  const path = join(await mkdtemp(join(tmpdir(), 'upload-')), 'long.wav');
  onTestFinished(() => rm(dirname(path), { recursive: true }));
  await writeFile(path, new Uint8Array(19_000_000));
  const idle = clientOf(`http://127.0.0.1:${port}`);
  idle.http.use({ onRequest: () => undefined });
  const before = process.memoryUsage().arrayBuffers;
  const controller = new AbortController();
  const { signal } = controller;
  const upload = errorOf(idle.transcriptions.create({ audio: await openAudioFile(path) }, { signal }));
  await once(unread, 'request');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  controller.abort();
  await upload;
});

test('a call of client.http takes a fetch of its own, which gets a Request with the key', async () => {
  const server = await speaking();
  const requests: Request[] = [];
  const fetchOfPage = async (made: Request) => {
    requests.push(made.clone());
    return fetch(made);
  };
  const { http } = clientOf(server.url);
  await http.GET('/model/{id}', { params: { path: { id: 'a' } }, parseAs: 'stream', fetch: fetchOfPage });
  const { response } = await http.POST('/v1/tts', {
    params: { header: { model: 's1' } },
    body: request,
    parseAs: 'stream',
    fetch: fetchOfPage,
  });
  expect(await response.bytes()).toEqual(tone());
  expect(requests.map(({ url }) => url.slice(server.url.length))).toEqual(['/model/a', '/v1/tts']);
  expect(await requests[1]?.json()).toEqual(request);
  expect(server.seen[1]?.headers.authorization).toMatch(/^Bearer /);
});

test('a fetch gets an address and an init of plain values, and no cached answer', async () => {
  const server = await speaking();
  const calls: Parameters<Fetch>[] = [];
  const fetchPlain: Fetch = (...args) => {
    calls.push(args);
    return fetch(...args);
  };
  const { speech, models } = clientOf(server.url, { fetch: fetchPlain });
  await (await speech.create(request)).bytes();
  await (await speech.create({ ...request, references: [{ audio: tone(9), text: 'x' }] })).bytes();
  await errorOf(models.get('a'));
  const [json, packed, get] = calls.map(([, init]) => init);
  expect(calls.map(([address]) => address.slice(server.url.length))).toEqual([
    '/v1/tts',
    '/v1/tts',
    '/model/a',
  ]);
  expect([json?.body, json?.method, json?.redirect]).toEqual([JSON.stringify(request), 'POST', 'manual']);
  expect(Object.getPrototypeOf(json?.headers)).toBe(Object.prototype);
  expect(packed?.body).toBeInstanceOf(Uint8Array);
  expect(calls.map(([, init]) => init.cache)).toEqual(['no-store', 'no-store', 'no-store']);
  expect(get?.body).toBeUndefined();
});

/** An answer as node-fetch gives it: neither a `Response` of the platform, nor over a web stream. */
const foreignAnswer = (status: number, pieces: readonly Uint8Array[], type: string): Response => {
  async function* read() {
    yield* pieces;
  }
  const answer = { ok: status < 300, status, statusText: '', url: 'http://a', body: read() };
  return { ...answer, headers: new Headers({ 'content-type': type }) } as unknown as Response;
};

test.each([false, true])(
  'answers of another fetch are read, past a middleware: %s',
  async (hasMiddleware) => {
    const answers = [
      foreignAnswer(200, [tone(100), tone(200)], 'audio/pcm'),
      foreignAnswer(200, [Buffer.from(eventOf())], 'text/event-stream'),
      foreignAnswer(200, [Buffer.from(JSON.stringify(voiceOf('a')))], 'application/json'),
      foreignAnswer(402, [Buffer.from('{"message":"no credit"}')], 'application/json'),
    ];
    const client = clientOf('http://a', { fetch: async () => answers.shift() as Response });
    if (hasMiddleware) client.http.use({ onResponse: ({ response }) => response });
    expect((await (await client.speech.create(request)).bytes()).length).toBe(600);
    const stream = await client.speech.streamWithTimestamps(request);
    expect((await stream.collect()).audio.length).toBe(tone().length);
    expect((await client.models.get('a'))._id).toBe('a');
    expect(await errorOf(client.speech.create(request))).toMatchObject({ status: 402 });
  },
);

test('why fetch refuses to send is an error of the configuration', async () => {
  const cause = Object.assign(new Error('invalid onRequestStart method'), { code: 'UND_ERR_INVALID_ARG' });
  const reasons = [
    [new TypeError('fetch failed', { cause }), 'the dispatcher and fetch are of two versions of undici'],
    [
      new TypeError('Expected signal to be an instance of AbortSignal'),
      'run the tests in the environment node',
    ],
  ] as const;
  for (const [reason, words] of reasons) {
    const { speech } = clientOf('http://a', { fetch: () => Promise.reject(reason) });
    const message = expect.stringContaining(words);
    expect(await errorOf(speech.create(request))).toMatchObject({ code: 'configuration', message });
  }
});

test('a fetch whose answers have no body, as in React Native, is named with the status', async () => {
  const fetchOfApp = async (status: number) =>
    Object.defineProperty(new Response('{}', { status, headers }), 'body', { value: undefined });
  for (const [status, words] of [
    [200, 'the answer has no body to stream'],
    [402, 'createSpeech: 402 with an unexplained body'],
  ] as const) {
    const { speech } = clientOf('http://a', { fetch: () => fetchOfApp(status) });
    const error = await errorOf(speech.create(request).then((audio) => audio.bytes()));
    expect(error).toMatchObject({ status, message: expect.stringContaining(words) });
  }
});

test('client.http has the signal, headers and total, and gives its place back with the headers', async () => {
  const server = await startServer(({ url }, response) => {
    if (url.endsWith('silent')) return undefined;
    return response.writeHead(200, headers).write(tone());
  });
  const client = clientOf(server.url, { concurrency: 1, timeouts: { headers: 200, queue: 500 } });
  const get = (id: string, from = client, signal?: AbortSignal) =>
    from.http.GET('/model/{id}', { params: { path: { id } }, parseAs: 'stream', ...(signal && { signal }) });
  const controller = new AbortController();
  const { response } = await get('a', client, controller.signal);
  // The place in the queue is free although the body is unread.
  await (await get('b')).response.body?.cancel();
  controller.abort(new Error('enough'));
  await expect(response.bytes()).rejects.toThrow();
  expect(await errorOf(get('silent'))).toMatchObject({ name: 'TimeoutError', phase: 'headers' });
  const hasty = client.with({ timeouts: { total: 200 } });
  const unread = await get('c', hasty);
  await expect(unread.response.bytes()).rejects.toMatchObject({ phase: 'total' });
  await expect.poll(() => server.openSockets()).toBe(0);
});

test('what Next.js throws from fetch to render at request time comes through as it is', async () => {
  const signal = Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' });
  let calls = 0;
  const fetchOfNext: Fetch = () => {
    calls += 1;
    return Promise.reject(signal);
  };
  expect(await errorOf(clientOf('http://a', { fetch: fetchOfNext }).wallet.getApiCredit())).toBe(signal);
  expect(calls).toBe(1);
});

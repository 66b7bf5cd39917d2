import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { AbortError } from '../errors.ts';
import { saveTo } from '../node.ts';
import type { CallOptions } from '../options.ts';
import { clientOf, errorOf, eventOf, tone, voiceOf } from '../testing/samples.ts';
import { type Answer, sendJson, startServer } from '../testing/start-server.ts';

// A call's life: it always ends, gives its place back and closes its connection.

type Client = ReturnType<typeof clientOf>;
const request = { text: 'Hello there.', format: 'pcm' } as const;
const voice = voiceOf('voice');
// The suite runs with the option that exposes it.
const collectGarbage = (globalThis as unknown as { gc: () => void }).gc;
const answerVoice: Answer = (_request, response) => sendJson(response, voice);
const openTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** Audio and events that begin and never end; models are answered at once. */
const endless: Answer = ({ url }, response) => {
  if (url.startsWith('/model')) return sendJson(response, voice);
  const isStream = url.endsWith('with-timestamp');
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'audio/pcm' });
  return response.write(isStream ? eventOf() : tone());
};

/** Ends an iterator while its second read is pending. */
async function endPendingRead(items: AsyncIterator<unknown>, end: () => unknown): Promise<void> {
  await items.next();
  const pending = items.next();
  await end();
  const [outcome] = await Promise.allSettled([pending]);
  expect(outcome.status === 'rejected' ? AbortError.isInstance(outcome.reason) : true).toBe(true);
}

const ends: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'audio.cancel() before it is read': async ({ speech }) => (await speech.create(request)).cancel(),
  'leaving the loop': async ({ speech }) => {
    for await (const _piece of await speech.create(request)) break;
  },
  'cancelling the body': async ({ speech }) => (await speech.create(request)).body.cancel(),
  'a signal while it is read': async ({ speech }) => {
    const controller = new AbortController();
    const bytes = (await speech.create(request, { signal: controller.signal })).bytes();
    controller.abort();
    expect(await errorOf(bytes)).toBeInstanceOf(AbortError);
  },
  'audio.cancel() while it is read': async ({ speech }) => {
    const audio = await speech.create(request);
    await endPendingRead(audio[Symbol.asyncIterator](), () => audio.cancel());
  },
  'return() of a pending read of audio': async ({ speech }) => {
    const pieces = (await speech.create(request))[Symbol.asyncIterator]();
    await endPendingRead(pieces, () => pieces.return?.());
  },
  'await using of audio': async ({ speech }) => (await speech.create(request))[Symbol.asyncDispose](),
  'stream.cancel() while it is read': async ({ speech }) => {
    const stream = await speech.streamWithTimestamps(request);
    const collected = stream.collect();
    stream.cancel();
    expect(await errorOf(collected)).toBeInstanceOf(AbortError);
  },
  'return() of a pending read of events': async ({ speech }) => {
    const events = (await speech.streamWithTimestamps(request))[Symbol.asyncIterator]();
    await events.next();
    await endPendingRead(events, () => events.return?.());
  },
  'saveTo of audio to no folder': async ({ speech }) =>
    expect(await errorOf(saveTo('/no/such/x.pcm', await speech.create(request)))).toMatchObject({
      code: 'ENOENT',
    }),
};

test.each(Object.entries(ends))('%s gives the place back and closes the connection', async (_name, end) => {
  const before = openTimers();
  const server = await startServer(endless);
  const client = clientOf(server.url, { concurrency: 1 });
  await end(client);
  expect(await client.models.get('voice', { timeouts: { queue: 3000 } })).toEqual(voice);
  await expect.poll(() => server.openSockets()).toBeLessThanOrEqual(1);
  expect(openTimers()).toBeLessThanOrEqual(before);
  expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('a signal on many calls prints no warning, and one made of others is freed with its calls', async () => {
  const server = await startServer(answerVoice);
  const warnings: unknown[] = [];
  const onWarning = (warning: unknown) => warnings.push(warning);
  process.on('warning', onWarning);
  const client = clientOf(server.url, { concurrency: 4 });
  const shutdown = new AbortController();
  const signals: WeakRef<AbortSignal>[] = [];
  const call = async (): Promise<void> => {
    const signal = AbortSignal.any([shutdown.signal, new AbortController().signal]);
    signals.push(new WeakRef(signal));
    await client.models.get('voice', { signal });
  };
  const { signal } = shutdown;
  await Promise.all(Array.from({ length: 40 }, () => client.models.get('voice', { signal })));
  for (let count = 0; count < 50; count += 1) await call();
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
  const living = () => {
    collectGarbage();
    return signals.filter((made) => made.deref()).length;
  };
  // The runtime may hold the latest one.
  await expect.poll(living).toBeLessThanOrEqual(1);
});

const never = () => new Promise<never>(() => undefined);
const stuck: Readonly<Record<string, (options: { signal?: AbortSignal }) => Promise<unknown>>> = {
  'a fetch': (options) => clientOf('http://a', { fetch: never }).models.get('voice', options),
  'a middleware': (options) => {
    const client = clientOf('http://a');
    client.http.use({ onRequest: never });
    return client.models.get('voice', options);
  },
  'a body': async (options) => {
    const body = { [Symbol.asyncIterator]: () => ({ next: never }) };
    const answer = { ok: true, status: 200, headers: new Headers({ 'content-type': 'audio/pcm' }), body };
    const client = clientOf('http://a', { fetch: async () => answer as unknown as Response });
    return (await client.speech.create(request, options)).bytes();
  },
};
test.each(Object.entries(stuck))('%s that never answers cannot hold a call', async (_name, call) => {
  const signal = AbortSignal.timeout(50);
  expect(await errorOf(call({ signal }))).toMatchObject({ name: 'AbortError', cause: signal.reason });
});

test('waiting for a place has its own deadline and error', async () => {
  const server = await startServer(endless);
  const client = clientOf(server.url, { concurrency: 1, timeouts: { queue: 50 } });
  const audio = await client.speech.create(request);
  const message = expect.stringMatching(/timeouts\.queue/);
  const error = { name: 'TimeoutError', phase: 'queue', code: 'timeout', perhapsBilled: false, message };
  expect(await errorOf(client.speech.create(request))).toMatchObject(error);
  audio.cancel();
  expect(server.seen).toHaveLength(1);
});

test('the deadline of the whole call counts from its place on, so that a queue costs nobody a call', async () => {
  const server = await startServer((_request, response) => setTimeout(() => sendJson(response, voice), 60));
  const client = clientOf(server.url, { concurrency: 1 });
  const options = { timeouts: { total: 5000, queue: 10_000 } };
  const all = await Promise.all(Array.from({ length: 5 }, () => client.models.get('voice', options)));
  expect(all).toHaveLength(5);
});

test.each([
  ['comments', ': still here\n\n', ''],
  ['blank lines', '\n', eventOf()],
])('%s do not keep an event stream alive', async (_name, sign, first) => {
  const server = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first || sign);
    const timer = setInterval(() => response.write(sign), 20);
    response.on('close', () => clearInterval(timer));
  });
  // Only the deadline that is waited for is short.
  const client = clientOf(server.url, { timeouts: first ? { idle: 300 } : { firstByte: 300 } });
  const error = await errorOf(client.speech.streamWithTimestamps(request).then((stream) => stream.collect()));
  expect(error).toMatchObject({ name: 'TimeoutError', phase: first ? 'idle' : 'firstByte' });
  expect(server.seen).toHaveLength(1);
});

/** A server in a thread of its own, which goes on while this one sleeps: it sends a piece, and the rest 100 ms later. */
const serverThread = `
  const { createServer } = require('node:http');
  const { parentPort, workerData: { head, rest, type } } = require('node:worker_threads');
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': type }).write(head);
    setTimeout(() => response.end(rest), 100);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
test.each([
  ['audio', 300],
  ['audio', 1500],
  ['events', 300],
  ['events', 1500],
])('%s that arrived while the process was asleep for %i ms is read', async (kind, milliseconds) => {
  const isStream = kind === 'events';
  const piece = isStream ? eventOf() : tone();
  const type = isStream ? 'text/event-stream' : 'audio/pcm';
  const server = new Worker(serverThread, { eval: true, workerData: { head: piece, rest: piece, type } });
  onTestFinished(() => void server.terminate());
  const [port] = await once(server, 'message');
  const { speech } = clientOf(`http://127.0.0.1:${port}`, { timeouts: { idle: 200, total: 1000 } });
  const answer = await (isStream ? speech.streamWithTimestamps(request) : speech.create(request));
  let length = 0;
  for await (const item of answer) {
    const first = length === 0;
    length += item instanceof Uint8Array ? item.length : item.type === 'audio-chunk' ? item.audio.length : 0;
    // The next read begins, and its timer with it, before the process falls asleep.
    if (first) setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds));
  }
  expect(length).toBe(2 * tone().length);
});

test('a stream whose end marker came is finished', async () => {
  const server = await startServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`${eventOf()}data: [DONE]\n\n`),
  );
  const client = clientOf(server.url, { timeouts: { idle: 5000 } });
  const { audio } = await (await client.speech.streamWithTimestamps(request)).collect();
  expect(audio.length).toBe(tone().length);
  await expect.poll(() => server.openSockets()).toBe(0);
});

/** A stage of a call: the answer that keeps the call there, and whether the request was sent. */
const stages: Readonly<Record<string, readonly [answer: Answer, requests: 0 | 1]>> = {
  'before the call': [endless, 0],
  'in the queue': [endless, 1],
  'before the headers': [() => undefined, 1],
  'in the body': [endless, 1],
  'while it waits to try again': [(_, response) => response.writeHead(503, { 'retry-after': '5' }).end(), 1],
};
test.each(Object.entries(stages))(
  'a signal that aborts %s is an AbortError with its reason',
  async (stage, [answer, requests]) => {
    const server = await startServer(answer);
    const client = clientOf(server.url, { concurrency: 1, retry: { methods: ['POST'] } });
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    // Node tells the signal of an event to its first listener only.
    controller.signal.addEventListener('abort', () => undefined);
    if (stage === 'before the call') controller.abort(reason);
    const earlier = stage === 'in the queue' ? await client.speech.create(request) : undefined;
    const call = client.speech.create(request, { signal: controller.signal }).then((audio) => audio.bytes());
    const error = errorOf(call);
    await expect.poll(() => server.seen.length).toBe(requests);
    controller.abort(reason);
    expect(await error).toMatchObject({ name: 'AbortError', code: 'abort', cause: reason });
    earlier?.cancel();
    expect(server.seen).toHaveLength(requests);
  },
  5000,
);

const otherCalls: Readonly<Record<string, (client: Client, options: CallOptions) => Promise<unknown>>> = {
  events: ({ speech }, options) => speech.streamWithTimestamps(request, options),
  list: ({ models }, options) => models.list({}, options),
  transcription: ({ transcriptions }, options) => transcriptions.create({ audio: tone() }, options),
};
test.each(Object.entries(otherCalls))(
  'a signal ends a call for %s at once, also where others listen to it before',
  async (_name, call) => {
    const server = await startServer(() => undefined);
    const controller = new AbortController();
    controller.signal.addEventListener('abort', () => undefined);
    const error = errorOf(call(clientOf(server.url), { signal: controller.signal }));
    await expect.poll(() => server.seen.length).toBe(1);
    controller.abort();
    expect(await error).toMatchObject({ name: 'AbortError' });
    await expect.poll(() => server.openSockets()).toBe(0);
  },
  5000,
);

/** Writes a piece again and again, as fast as it is read, until the connection closes. */
function pour(response: ServerResponse, piece: Buffer): void {
  while (!response.destroyed) {
    if (!response.write(piece)) return void response.once('drain', () => pour(response, piece));
  }
}

test('endless audio takes no memory that is not asked for, and ends where a limit says', async () => {
  const server = await startServer((_request, response) =>
    pour(response.writeHead(200, { 'content-type': 'audio/pcm' }), Buffer.alloc(64 * 1024, 1)),
  );
  const { speech } = clientOf(server.url);
  const before = process.memoryUsage.rss();
  let length = 0;
  for await (const piece of await speech.create(request)) {
    length += piece.length;
    if (length > 300_000_000) break;
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
  const audio = await speech.create(request);
  expect(await errorOf(audio.bytes({ maximumBytes: 1_000_000 }))).toMatchObject({ name: 'ProtocolError' });
  await expect.poll(() => server.openSockets()).toBe(0);
});

import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { AbortError, TimeoutError } from '../../src/index.ts';
import { saveTo } from '../../src/node.ts';
import { clientOf, errorOf, eventOf, tone, voiceOf } from '../../src/testing/samples.ts';
import { sendJson, startServer } from '../../src/testing/start-server.ts';

// A call's life: it always ends, gives its place back and closes its connection.

type Client = ReturnType<typeof clientOf>;
const request = { text: 'Hello there.', format: 'pcm' } as const;
const voice = voiceOf('voice');
// The suite runs with the option that exposes it.
const collectGarbage = (globalThis as unknown as { gc: () => void }).gc;
const event = eventOf();
const missing = { code: 'ENOENT' };

/** Audio and events that begin and never end; models are answered at once. */
function endless({ url = '' }: { url?: string }, response: ServerResponse): unknown {
  if (url.startsWith('/model')) return sendJson(response, voice);
  const stream = url.endsWith('with-timestamp');
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'audio/pcm' });
  return response.write(stream ? event : tone());
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
    const pieces = audio[Symbol.asyncIterator]();
    await pieces.next();
    const pending = pieces.next();
    audio.cancel();
    const [outcome] = await Promise.allSettled([pending]);
    expect(outcome.status === 'fulfilled' || AbortError.isInstance(outcome.reason)).toBe(true);
  },
  'return() of a pending read of audio': async ({ speech }) => {
    const pieces = (await speech.create(request))[Symbol.asyncIterator]();
    await pieces.next();
    const pending = pieces.next();
    await pieces.return?.();
    expect(await pending).toMatchObject({ done: true });
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
    await events.next();
    const pending = events.next();
    await events.return?.();
    expect(await pending).toMatchObject({ done: true });
  },
  'saveTo of audio to no folder': async ({ speech }) =>
    expect(await errorOf(saveTo('/no/such/x.pcm', await speech.create(request)))).toMatchObject(missing),
};

test.each(Object.entries(ends))('%s gives the place back and closes the connection', async (_name, end) => {
  const server = await startServer(endless);
  const client = clientOf(server.url, { concurrency: 1 });
  await end(client);
  expect(await client.models.get('voice', { timeouts: { queue: 3000 } })).toEqual(voice);
  await expect.poll(() => server.openSockets()).toBeLessThanOrEqual(1);
  expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('1 000 calls that end in these ways leave no memory, timers, sockets and places behind', async () => {
  const server = await startServer(endless);
  const client = clientOf(server.url, { concurrency: 4 });
  const ways = Object.values(ends);
  const endMany = async (count: number): Promise<void> => {
    let begun = 0;
    const work = async (): Promise<void> => {
      while (begun < count) {
        begun += 1;
        await ways[begun % ways.length]?.(client);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
  };
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await endMany(100);
  collectGarbage();
  const before = { heap: process.memoryUsage().heapUsed, timers: timers() };
  await endMany(1000);
  await expect.poll(() => server.openSockets()).toBe(0);
  const grown = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed - before.heap;
  };
  // The test itself only holds the list of requests and the log.
  await expect.poll(grown).toBeLessThan(8 * 1024 * 1024);
  await expect.poll(timers).toBeLessThanOrEqual(before.timers + 1);
  expect(server.seen).toHaveLength(1100);
  const answers = await Promise.all(Array.from({ length: 4 }, () => client.speech.create(request)));
  for (const audio of answers) audio.cancel();
}, 120_000);

test('a body of an injected fetch that ignores the signal is cancelled when its audio is left', async () => {
  let cancelled = 0;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(tone()),
    cancel() {
      cancelled += 1;
    },
  });
  const fetch = async () => new Response(body, { headers: { 'content-type': 'audio/pcm' } });
  for await (const _piece of await clientOf('http://127.0.0.1:9', { fetch }).speech.create(request)) break;
  await expect.poll(() => cancelled).toBe(1);
});

test('an injected fetch that ignores its signal cannot hold a call', async () => {
  const fetch = () => new Promise<Response>(() => undefined);
  const client = clientOf('http://127.0.0.1:9', { fetch, timeouts: { headers: 30 } });
  expect(await errorOf(client.models.get('voice'))).toBeInstanceOf(TimeoutError);
  const signal = AbortSignal.timeout(50);
  const call = client.models.get('voice', { signal, timeouts: { headers: 60_000 } });
  expect(await errorOf(call)).toMatchObject({ name: 'AbortError', cause: signal.reason });
});

test('a call that is aborted before it begins starts no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const { speech } = clientOf('http://127.0.0.1:9');
  const call = speech.create({ ...request, sample_rate: 1 as never }, { signal: AbortSignal.abort() });
  expect(await errorOf(call)).toBeInstanceOf(AbortError);
  expect(timers()).toBe(before);
});

test('waiting for a place has its own deadline and error', async () => {
  const server = await startServer(endless);
  const client = clientOf(server.url, { concurrency: 1, timeouts: { queue: 50 } });
  const audio = await client.speech.create(request);
  const error = await errorOf(client.speech.create(request));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ phase: 'queue', code: 'timeout' });
  expect((error as Error).message).toMatch(/timeouts\.queue/);
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
  ['blank lines', '\n', event],
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

test('a stream whose end marker came is finished', async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`${event}data: [DONE]\n\n`);
  });
  const client = clientOf(server.url, { timeouts: { idle: 5000 } });
  const { audio } = await (await client.speech.streamWithTimestamps(request)).collect();
  expect(audio.length).toBe(tone().length);
  await expect.poll(() => server.openSockets()).toBe(0);
});

const stages = [
  'before the call',
  'in the queue',
  'before the headers',
  'in the body',
  'while it waits to try again',
  'at the end',
] as const;
test.each(stages)('a signal that aborts %s is an AbortError with its reason', async (stage) => {
  const server = await startServer(({ url }, response) => {
    if (stage === 'before the headers') return undefined;
    if (stage === 'while it waits to try again') return response.writeHead(503, { 'retry-after': '5' }).end();
    if (stage === 'at the end') return response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone());
    return endless({ url }, response);
  });
  const client = clientOf(server.url, { concurrency: 1 });
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new Error('changed my mind');
  if (stage === 'before the call') controller.abort(reason);
  const answer = stage === 'in the queue' ? await client.speech.create(request) : undefined;
  const call =
    stage === 'while it waits to try again'
      ? client.models.get('voice', { signal })
      : client.speech.create(request, { signal }).then((audio) => audio.bytes());
  call.catch(() => undefined);
  if (stage === 'at the end') {
    expect(((await call) as Uint8Array).length).toBe(tone().length);
    controller.abort(reason);
    return;
  }
  if (stage !== 'before the call' && stage !== 'in the queue')
    await expect.poll(() => server.seen.length).toBe(1);
  controller.abort(reason);
  expect(await errorOf(call)).toMatchObject({ name: 'AbortError', code: 'abort', cause: reason });
  answer?.cancel();
  expect(server.seen.length).toBe(stage === 'before the call' ? 0 : 1);
});

test('one signal on many calls prints no warning', async () => {
  const server = await startServer((_request, response) => sendJson(response, voice));
  const warnings: unknown[] = [];
  const onWarning = (warning: unknown) => warnings.push(warning);
  process.on('warning', onWarning);
  const { signal } = new AbortController();
  const client = clientOf(server.url, { concurrency: 4 });
  await Promise.all(Array.from({ length: 40 }, () => client.models.get('voice', { signal })));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

test('a signal that other signals make is freed with its calls', async () => {
  const server = await startServer((_request, response) => sendJson(response, voice));
  const client = clientOf(server.url);
  const shutdown = new AbortController();
  const signals: WeakRef<AbortSignal>[] = [];
  const call = async (): Promise<void> => {
    const signal = AbortSignal.any([shutdown.signal, new AbortController().signal]);
    signals.push(new WeakRef(signal));
    await client.models.get('voice', { signal });
  };
  for (let count = 0; count < 50; count += 1) await call();
  const living = () => {
    collectGarbage();
    return signals.filter((signal) => signal.deref()).length;
  };
  // The runtime may hold the latest one.
  await expect.poll(living, { timeout: 3000 }).toBeLessThanOrEqual(1);
});

test('a fetch of the caller that throws after the service has answered leaves no connection open', async () => {
  const server = await startServer((_request, response) => response.writeHead(200).write('a'));
  const client = clientOf(server.url, {
    fetch: async (...args: Parameters<typeof fetch>) => {
      await fetch(...args);
      throw new Error('logging failed');
    },
  });
  await expect(client.speech.create({ text: 'Hello.' })).rejects.toThrow('logging failed');
  await expect.poll(() => server.openSockets(), { timeout: 3000 }).toBe(0);
});

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

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startSandbox } from '@speech-api/sandbox';
import { afterEach, expect, test } from 'vitest';
import type { Interference } from './carried.ts';
import { eventOf, liveMessages } from './live-client.ts';
import { type RunningProxy, startProxy } from './start-proxy.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function proxyOf(target: string): Promise<RunningProxy> {
  const proxy = await startProxy(target);
  closing.push(proxy.close);
  return proxy;
}

async function serve(
  handler: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<string> {
  const server: Server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const everything: Interference = { concerns: () => true };

test('hands on status, headers with their case and repetition, and bytes', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
  const seen: string[][] = [];
  const target = await serve((incoming, outgoing) => {
    seen.push(incoming.rawHeaders);
    outgoing.writeHead(418, 'Short and stout', ['X-One', 'a', 'X-One', 'b', 'Content-Length', '100000']);
    outgoing.end(bytes);
  });
  const proxy = await proxyOf(target);
  const answer = await new Promise<IncomingMessage>((resolve) => {
    request(`${proxy.url}/path?query=%20`, { headers: { 'X-Mixed-Case': 'kept' } }, resolve).end();
  });
  expect(answer.statusCode).toBe(418);
  expect(answer.statusMessage).toBe('Short and stout');
  expect(answer.rawHeaders.filter((_, index, all) => all[index - (index % 2)] === 'X-One')).toEqual([
    'X-One',
    'a',
    'X-One',
    'b',
  ]);
  expect((await buffer(answer)).equals(bytes)).toBe(true);
  expect(seen[0]).toContain('X-Mixed-Case');
  expect(proxy.changes()).toBe(0);
});

test('hands on each piece of an answer before the next one is written', async () => {
  let goOn = () => {};
  const target = await serve((_incoming, outgoing) => {
    outgoing.write('first');
    goOn = () => outgoing.end('second');
  });
  const proxy = await proxyOf(target);
  const response = await fetch(proxy.url);
  const reader = response.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
  goOn();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second');
});

test('breaks the answer where the server breaks it, and aborts the server where the caller goes away', async () => {
  let aborted: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    aborted = resolve;
  });
  const target = await serve((incoming, outgoing) => {
    outgoing.write('some');
    if (incoming.url === '/cut') setImmediate(() => outgoing.destroy());
    else outgoing.once('close', aborted);
  });
  const proxy = await proxyOf(target);
  await expect(fetch(`${proxy.url}/cut`).then((response) => response.text())).rejects.toThrow();
  const controller = new AbortController();
  await fetch(`${proxy.url}/long`, { signal: controller.signal });
  controller.abort();
  await gone;
});

test('counts what it changed, and nothing that it wrote as it was', async () => {
  const target = await serve((_incoming, outgoing) => outgoing.end('body'));
  const proxy = await proxyOf(target);
  proxy.interfere({ ...everything, answer: (answer) => ({ ...answer }), request: (call) => ({ ...call }) });
  expect(await (await fetch(proxy.url)).text()).toBe('body');
  expect(proxy.changes()).toBe(0);
  proxy.interfere({ ...everything, answer: (answer) => ({ ...answer, body: Buffer.from('longer body') }) });
  expect(await (await fetch(proxy.url)).text()).toBe('longer body');
  expect(proxy.changes()).toBe(1);
  proxy.interfere();
  expect(await (await fetch(proxy.url)).text()).toBe('body');
  expect(proxy.changes()).toBe(0);
});

test('asks another question, or none at all', async () => {
  const asked: string[] = [];
  const target = await serve((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    incoming.pipe(outgoing);
  });
  const proxy = await proxyOf(target);
  proxy.interfere({
    ...everything,
    request: (call) => ({ ...call, target: '/other', body: Buffer.from('other words') }),
  });
  const echoed = await fetch(`${proxy.url}/asked`, { method: 'POST', body: 'words' });
  expect(await echoed.text()).toBe('other words');
  proxy.interfere({
    ...everything,
    instead: () => ({ status: 204, headers: {}, body: Buffer.alloc(0) }),
  });
  expect((await fetch(proxy.url)).status).toBe(204);
  expect(asked).toEqual(['POST /other']);
  expect(proxy.changes()).toBe(1);
});

test('cuts an answer after so many bytes', async () => {
  const target = await serve((_incoming, outgoing) => outgoing.end('a whole body'));
  const proxy = await proxyOf(target);
  proxy.interfere({ ...everything, answer: (answer) => ({ ...answer, cutAfter: 4 }) });
  await expect(fetch(proxy.url).then((response) => response.text())).rejects.toThrow();
  expect(proxy.changes()).toBe(1);
});

test('leaves alone what the interference does not concern', async () => {
  const target = await serve((incoming, outgoing) => outgoing.end(incoming.url));
  const proxy = await proxyOf(target);
  proxy.interfere({
    concerns: ({ path }) => path === '/one',
    answer: (answer) => ({ ...answer, body: Buffer.from('changed') }),
  });
  expect(await (await fetch(`${proxy.url}/two?one`)).text()).toBe('/two?one');
  expect(await (await fetch(`${proxy.url}/one`)).text()).toBe('changed');
});

test('carries a live session, untouched and changed', async () => {
  const sandbox = await startSandbox();
  closing.push(sandbox.close);
  const proxy = await proxyOf(sandbox.url);
  const plain = await liveMessages(proxy.url);
  expect(plain.events.at(-1)).toBe('finish');
  expect(plain.events).toContain('audio');
  expect(plain.closeCode).toBe(1000);
  expect(proxy.changes()).toBe(0);

  proxy.interfere({
    ...everything,
    live: () => ({
      message: (message) => (eventOf(message) === 'finish' ? [message, message] : [message]),
    }),
  });
  const twice = await liveMessages(proxy.url);
  expect(twice.events.slice(-2)).toEqual(['finish', 'finish']);
  expect(twice.bytes).toBe(plain.bytes);
  expect(proxy.changes()).toBe(1);

  proxy.interfere({
    ...everything,
    live: () => ({
      sent: (message) => (eventOf(message) === 'text' ? [] : [message]),
    }),
  });
  const silent = await liveMessages(proxy.url);
  expect(silent.events.at(-1)).toBe('finish');
  expect(silent.bytes).toBeLessThan(plain.bytes);
  expect(proxy.changes()).toBe(1);

  proxy.interfere({
    ...everything,
    request: (call) => ({ ...call, headers: { ...call.headers, authorization: '' } }),
  });
  await expect(liveMessages(proxy.url)).rejects.toThrow();
  expect(proxy.changes()).toBe(1);
});

test('tells of a change that fails, and breaks the call that it failed in', async () => {
  const proxy = await proxyOf(await serve((_incoming, outgoing) => outgoing.end('body')));
  proxy.interfere({
    ...everything,
    answer: () => {
      throw new Error('no such field');
    },
  });
  await expect(fetch(proxy.url)).rejects.toThrow();
  expect(proxy.failures()).toEqual(['no such field']);
  proxy.interfere();
  expect(proxy.failures()).toEqual([]);
});

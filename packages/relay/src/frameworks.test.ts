import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import fastify from 'fastify';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { relayForFastify } from './fastify.ts';
import { relayForHono } from './hono.ts';
import { createRelay, type Relay } from './relay.ts';
import { openPage, page, serviceEnd, start, startService, stop, upstreamOf } from './testing/service.ts';

/** The address of a server that listens. */
function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startPlain(relay: Relay): Promise<Server> {
  const server = createServer((request, response) => {
    if (relay.handleRequest(request, response)) return;
    response.end('the application');
  });
  relay.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return server;
}

const frameworks: readonly (readonly [string, (relay: Relay) => Promise<Server>])[] = [
  ['node:http', startPlain],
  [
    'Hono',
    async (relay) => {
      const application = new Hono();
      application.use(relayForHono(relay));
      application.all('/*', (context) => context.text('the application'));
      const server = serve({ fetch: application.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
      relay.attach(server);
      await once(server, 'listening');
      onTestFinished(() => {
        server.close();
      });
      return server;
    },
  ],
  [
    'Fastify',
    async (relay) => {
      const application = fastify();
      await application.register(relayForFastify(relay));
      application.all('/*', () => 'the application');
      await application.listen({ port: 0, host: '127.0.0.1' });
      onTestFinished(() => application.close());
      return application.server;
    },
  ],
];

test.each(frameworks)(
  '%s serves sessions, operations and health beside the application',
  async (_, serveWith) => {
    const service = await startService();
    const relay = createRelay({
      upstream: upstreamOf(service),
      origins: [page],
      operations: ['createSpeech'],
      authorize: () => ({ user: 'anna' }),
      limits: { drainSeconds: 0.2 },
    });
    const url = urlOf(await serveWith(relay));

    expect(await (await fetch(`${url}/elsewhere`)).text()).toBe('the application');
    expect(await (await fetch(`${url}/ready`)).json()).toEqual({ status: 'ok', sessions: 0 });
    const answer = await fetch(`${url}/v1/tts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: page },
      body: '{"text":"Hello."}',
    });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'audio/mpeg',
      '{"text":"Hello."}',
    ]);

    const client = await openPage({ url });
    await client.until('ready');
    client.send(start(), stop);
    const behind = await serviceEnd({ service });
    await behind.until('stop');
    client.socket.close();
    await client.closed;
    await expect(openPage({ url: `${url}/other` })).rejects.toThrow('404');
    await relay.drain();
    expect((await fetch(`${url}/ready`)).status).toBe(503);
  },
);

test('other listeners for upgrades keep their paths', async () => {
  const relay = createRelay({
    upstream: upstreamOf({ url: 'ws://127.0.0.1:1' }),
    origins: [page],
    authorize: () => undefined,
  });
  const server = await startPlain(relay);
  server.on('upgrade', (request, socket) => {
    if (request.url?.startsWith('/chat')) socket.end('HTTP/1.1 418 The chat\r\n\r\n');
  });
  const url = urlOf(server);
  await expect(openPage({ url: `${url}/chat` })).rejects.toThrow('418');
  expect((await (await openPage({ url })).closed).code).toBe(4401);
});

test('a Fastify application that closes drains its relay', async () => {
  const service = await startService();
  const relay = createRelay({
    upstream: upstreamOf(service),
    origins: [page],
    authorize: () => ({ user: 'anna' }),
  });
  const application = fastify();
  await application.register(relayForFastify(relay));
  await application.listen({ port: 0, host: '127.0.0.1' });
  const client = await openPage({
    url: urlOf(application.server),
  });
  await client.until('ready');
  await application.close();
  expect((await client.closed).code).toBe(4503);
});

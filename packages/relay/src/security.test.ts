import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { createRelay } from './relay.ts';
import {
  openPage,
  openRaw,
  page,
  refusalOf,
  secretKey,
  serviceEnd,
  startService,
  startTestRelay,
  upstreamOf,
} from './testing/service.ts';
import { createTickets } from './tickets.ts';

test('security: headers of a page reach neither the service nor the log', async () => {
  const relay = await startTestRelay();
  const headers = {
    authorization: 'Bearer of-the-page',
    cookie: 'session=of-the-page',
    model: 'of-the-page',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'x-forwarded-for': 'of-the-page',
  };
  const client = await openPage(relay, { headers });
  await client.until('ready');
  const { headers: sent = {} } = (await serviceEnd(relay)).upgrade ?? {};
  expect(sent.authorization).toBe(`Bearer ${secretKey}`);
  expect(JSON.stringify(sent)).not.toMatch(/of-the-page|0af7651916cd43dd|app\.example/);
  client.socket.close();
  await expect.poll(() => relay.log).toHaveLength(1);
  expect(JSON.stringify(relay.log)).not.toMatch(/of-the-page/);
});

test('security: an upgrade that was refused leaves no socket behind, even where its other side never ends', async () => {
  const service = await startService();
  const relay = createRelay({
    upstream: upstreamOf(service),
    origins: [page],
    authorize: () => undefined,
  });
  const server = createServer();
  relay.attach(server);
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const raw = await openRaw({ url: `http://127.0.0.1:${port}` }, { origin: 'https://evil.example' });
  const [answer] = (await once(raw, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /);
  const connections = promisify(server.getConnections.bind(server));
  await expect.poll(() => connections()).toBe(0);
});

test('security: a ticket in the address is none, and reaches neither the service nor the log', async () => {
  const relay = await startTestRelay({
    authorize: ({ ticket }) => (ticket === undefined ? undefined : { user: ticket }),
  });
  const raw = await openRaw(relay, { path: '/v1/tts/live?ticket=of-the-page' });
  await once(raw, 'data');
  await expect.poll(() => relay.log).toMatchObject([{ event: 'refused', status: 401 }]);
  expect(JSON.stringify(relay.log)).not.toContain('of-the-page');
  expect(relay.service.ends).toEqual([]);
});

test('security: a grant that is not understood lets nobody in, and the log says why', async () => {
  const relay = await startTestRelay({
    authorize: () => ({ user: 'anna', characters: Number.NaN }),
  });
  const client = await openPage(relay);
  expect(await refusalOf(client)).toMatchObject({ code: 4500, error: 'The relay failed.' });
  expect(relay.service.ends).toEqual([]);
  expect(relay.log).toMatchObject([{ reason: expect.stringMatching(/^authorize: characters: .*NaN/) }]);
});

test('security: a ticket that somebody else signed with a limit that is not understood is not valid', async () => {
  const secret = 'a secret of thirty-two bytes, or more';
  const sign = (claims: object): Promise<string> =>
    new SignJWT({ mark: 'anna', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience('speech-relay')
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('30s')
      .sign(new TextEncoder().encode(secret));
  const tickets = createTickets({ secret });
  expect(await tickets.redeem(await sign({ characters: 20 }))).toMatchObject({
    user: 'anna',
    characters: 20,
  });
  for (const claims of [{ characters: '20' }, { voices: 'alba' }, { formats: 'mp3' }, { mark: '' }]) {
    await expect(tickets.redeem(await sign(claims))).rejects.toMatchObject({ status: 401 });
  }
});

test('security: headers that never come to an end are cut', async () => {
  const relay = await startTestRelay({ limits: { answerSeconds: 0.1 } });
  const socket = await openRaw(relay, 'GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
  socket.resume();
  socket.once('end', () => socket.end());
  await once(socket, 'close');
});

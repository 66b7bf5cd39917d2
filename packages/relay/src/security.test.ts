import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { createRelay } from './relay.ts';
import {
  audio,
  openPage,
  openRaw,
  page,
  refusalOf,
  secretKey,
  serviceEnd,
  start,
  startService,
  startTestRelay,
  stop,
} from './testing/service.ts';
import { createTickets } from './tickets.ts';

const upgrade =
  `GET /v1/tts/live HTTP/1.1\r\nhost: localhost\r\norigin: ${page}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
  'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

test('security: a compressed frame, which was never negotiated, ends the session before it is inflated', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const raw = await openRaw(relay);
  raw.write(
    `${upgrade}sec-websocket-protocol: speech-relay\r\nsec-websocket-extensions: permessage-deflate\r\n\r\n`,
  );
  await once(raw, 'data');
  // Fifty megabytes in fifty kilobytes: final, compressed, binary, masked with zeros.
  const bomb = deflateRawSync(Buffer.alloc(50_000_000)).subarray(0, 60_000);
  const head = Buffer.alloc(8);
  head[0] = 0xc2;
  head[1] = 0xfe;
  head.writeUInt16BE(bomb.length, 2);
  const before = process.memoryUsage().arrayBuffers;
  const received: Buffer[] = [];
  raw.on('data', (data: Buffer) => received.push(data));
  raw.write(Buffer.concat([head, bomb]));
  await once(raw, 'close');
  // The close frame of the WebSocket itself: 1002, a protocol error.
  expect(Buffer.concat(received).includes(Buffer.of(0x03, 0xea))).toBe(true);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  const behind = await serviceEnd(service);
  await behind.closed;
  expect(behind.frames).toEqual([]);
  await expect.poll(() => relay.relay.sessions).toBe(0);
});

test('security: a line break in a header of a page is refused before anything else', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  for (const header of [`origin: ${page}\rx-evil: 1`, 'sec-websocket-protocol: speech-relay\n x-evil: 1']) {
    const raw = await openRaw(relay);
    raw.write(
      `GET /v1/tts/live HTTP/1.1\r\nhost: localhost\r\n${header}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n`,
    );
    const [answer] = (await once(raw, 'data')) as [Buffer];
    expect(answer.toString(), header).toMatch(/^HTTP\/1\.1 400 /);
  }
  expect(service.ends).toEqual([]);
});

test('security: headers of a page reach neither the service nor the log', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const headers = {
    authorization: 'Bearer of-the-page',
    cookie: 'session=of-the-page',
    model: 'of-the-page',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'x-forwarded-for': 'of-the-page',
  };
  const client = await openPage(relay, { headers });
  await client.until('ready');
  const { headers: sent = {} } = (await serviceEnd(service)).upgrade ?? {};
  expect(sent.authorization).toBe(`Bearer ${secretKey}`);
  expect(JSON.stringify(sent)).not.toMatch(/of-the-page|0af7651916cd43dd|app\.example/);
  client.socket.close();
  await expect.poll(() => relay.log).toHaveLength(1);
  expect(JSON.stringify(relay.log)).not.toMatch(/of-the-page/);
});

test('security: headers of a proxy stand neither for the Host nor for the user', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, { limits: { sessionsPerUser: 1 } });
  const headers = { host: 'evil.example', 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' };
  await expect(openPage(relay, { headers })).rejects.toThrow('403');
  const first = await openPage(relay, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  await first.until('ready');
  const second = await openPage(relay, { headers: { 'x-forwarded-for': '192.0.2.2' } });
  expect(await refusalOf(second)).toMatchObject({ code: 4429 });
});

test('security: an upgrade that was refused leaves no socket behind, even where its other side never ends', async () => {
  const service = await startService();
  const relay = createRelay({
    upstream: { webSocketUrl: service.url, apiKey: secretKey, model: 's2-pro' },
    origins: [page],
    authorize: () => undefined,
  });
  const server = createServer();
  relay.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const raw = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => {
    raw.destroy();
    server.close();
  });
  raw.on('error', () => {});
  raw.write(`${upgrade.replace(page, 'https://evil.example')}sec-websocket-protocol: speech-relay\r\n\r\n`);
  const [answer] = (await once(raw, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /);
  const connections = promisify(server.getConnections.bind(server));
  await expect.poll(() => connections()).toBe(0);
});

test('security: a ticket in the address is none, and reaches neither the service nor the log', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, {
    authorize: ({ ticket }) => (ticket === undefined ? undefined : { user: ticket }),
  });
  const raw = await openRaw(relay);
  raw.write(
    `${upgrade.replace('/live ', '/live?ticket=of-the-page ')}sec-websocket-protocol: speech-relay\r\n\r\n`,
  );
  await once(raw, 'data');
  await expect.poll(() => relay.log).toMatchObject([{ event: 'refused', status: 401 }]);
  expect(JSON.stringify(relay.log)).not.toContain('of-the-page');
  expect(service.ends).toEqual([]);
});

test('security: a message of the service above its limit ends the session with 502', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, { limits: { serviceMessageBytes: 10_000 } });
  const client = await openPage(relay);
  await client.until('ready');
  client.send(start(), stop);
  const behind = await serviceEnd(service);
  await behind.until('stop');
  behind.send(audio(20_000));
  expect(await refusalOf(client)).toMatchObject({ status: 502, code: 4502 });
  expect(client.messages().filter(({ event }) => event === 'audio')).toEqual([]);
});

test('security: a page that sends half a frame and then nothing is closed when it has been idle', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, { limits: { idleSeconds: 0.3 } });
  const raw = await openRaw(relay);
  raw.write(`${upgrade}sec-websocket-protocol: speech-relay\r\n\r\n`);
  await once(raw, 'data');
  raw.resume();
  // The head of a frame of 60 000 bytes, and a few of them.
  raw.write(Buffer.concat([Buffer.of(0x82, 0xfe, 0xea, 0x60, 0, 0, 0, 0), Buffer.alloc(10)]));
  await once(raw, 'close');
  await expect.poll(() => relay.log).toMatchObject([{ event: 'session', status: 408 }]);
});

test('security: fragments that together are above the limit end the session', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const client = await openPage(relay);
  await client.until('ready');
  for (let count = 0; count < 10; count += 1) {
    client.socket.send(Buffer.alloc(10_000), { binary: true, fin: false });
  }
  expect(await client.closed).toMatchObject({ code: 1009 });
});

// What is not understood would be no limit.
const badGrants: readonly (readonly [string, object, RegExp])[] = [
  [
    'NaN characters',
    { characters: Number.NaN },
    /^characters of the grant is NaN; use a whole number from 0$/,
  ],
  ['more voices than a header takes', { voices: Array(1000).fill('a voice') }, /use fewer voices$/],
  ['-1 characters', { characters: -1 }, /characters/],
  ['characters in a string', { characters: '20' }, /^characters of the grant is '20'/],
  ['null characters', { characters: null }, /characters/],
  [
    'one voice in place of a list',
    { voices: 'alba' },
    /^voices of the grant is 'alba'; use a list of strings$/,
  ],
  ['a voice that is a number', { voices: [7] }, /voices/],
  ['one format in place of a list', { formats: 'mp3' }, /formats/],
  [
    'a format that there is not',
    { formats: ['mp4'] },
    /^formats .+ use a list of one or more of wav, pcm, mp3, opus$/,
  ],
  ['no format', { formats: [] }, /formats/],
  ['a model with a space', { model: 's 1' }, /model/],
  ['references in a string', { references: 'false' }, /references/],
  ['a misspelt limit', { character: 20 }, /^the grant has the unknown field character; use user, model/],
  ['no user', { user: undefined }, /^user of the grant is missing or not valid; use a string/],
  ['an empty user', { user: '' }, /^user of the grant is missing/],
];

test('security: a grant that is not understood lets nobody in, and the log says why', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, {
    authorize: () => ({ user: 'anna', characters: Number.NaN }),
  });
  const client = await openPage(relay);
  expect(await refusalOf(client)).toMatchObject({ code: 4500, error: 'The relay failed.' });
  expect(service.ends).toEqual([]);
  expect(relay.log).toMatchObject([
    { reason: expect.stringMatching(/^authorize: characters of the grant is NaN/) },
  ]);
});

test.each(badGrants)('security: a ticket with %s is not issued', async (_, wrong, reason) => {
  const tickets = createTickets({ secret: 'a secret of thirty-two bytes, or more' });
  const error = await tickets.issue({ user: 'anna', ...wrong }).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message.replace('issue: ', '')).toMatch(reason);
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

test('security: an origin or a host that could never match is refused at the start, with what would', () => {
  const options = {
    upstream: { webSocketUrl: 'wss://api.example.com', apiKey: secretKey, model: 's2-pro' },
    authorize: () => undefined,
  };
  expect(() => createRelay({ ...options, origins: ['https://app.example/'] })).toThrow(
    /use https:\/\/app\.example$/,
  );
  expect(() => createRelay({ ...options, origins: ['app.example'] })).toThrow(/use a scheme/);
  // Any page can have this one.
  expect(() => createRelay({ ...options, origins: ['null'] })).toThrow(/use a scheme/);
  expect(() => createRelay({ ...options, origins: [page], hosts: ['app.example:3000'] })).toThrow(
    /without scheme and port/,
  );
  expect(createRelay({ ...options, origins: [page], hosts: ['[::1]', 'app.example'] }).ready).toBe(true);
});

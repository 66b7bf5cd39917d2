import { once } from 'node:events';
import { Encoder, encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { createRelay } from './relay.ts';
import {
  audio,
  type End,
  finish,
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
  text,
} from './testing/service.ts';
import { createTickets } from './tickets.ts';

const secret = 'a secret of thirty-two bytes, or more';

test('a page speaks through the relay: messages arrive, audio comes back byte for byte', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const client = await openPage(relay);
  const behind = await serviceEnd(service);
  await client.until('ready');
  client.send(start({ format: 'pcm' }), text('Hello 👍.'), { event: 'flush' }, stop);
  await behind.until('stop');
  expect(behind.messages()).toEqual([start({ format: 'pcm' }), text('Hello 👍.'), { event: 'flush' }, stop]);
  expect(behind.upgrade?.headers).toMatchObject({
    authorization: `Bearer ${secretKey}`,
    model: 's2-pro',
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
  });
  // Fields in an unusual order, and an unknown one: the message is not decoded and encoded again.
  const odd = Buffer.from(encode({ audio: Uint8Array.of(1, 2), more: true, event: 'audio' }));
  behind.send(audio(70_000));
  behind.socket.send(odd);
  behind.send(finish);
  await client.until('finish');
  expect(client.frames[1]).toEqual(behind.frames.length > 0 ? Buffer.from(encode(audio(70_000))) : undefined);
  expect(client.frames[2]).toEqual(odd);
  // A second utterance on the same socket.
  client.send(start(), text('Again.'), stop);
  await expect.poll(() => behind.messages().filter(({ event }) => event === 'stop')).toHaveLength(2);
  client.socket.close();
  await behind.closed;
  await expect
    .poll(() => relay.log)
    .toMatchObject([
      {
        event: 'session',
        origin: page,
        characters: 14,
        status: undefined,
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ]);
  expect(relay.relay.sessions).toBe(0);
});

test('frames before the service is there are held, in order', async () => {
  const service = await startService();
  let open: () => void = () => {};
  service.gate = new Promise((resolve) => {
    open = resolve;
  });
  const relay = await startTestRelay(service);
  const client = await openPage(relay);
  client.send(start(), ...Array.from({ length: 100 }, (_, index) => text(`${index} `)), stop);
  await expect.poll(() => client.socket.bufferedAmount).toBe(0);
  expect(client.frames).toEqual([]);
  open();
  const behind = await serviceEnd(service);
  await behind.until('stop');
  expect(
    behind
      .messages()
      .map(({ text: words }) => words ?? '')
      .join(''),
  ).toBe(Array.from({ length: 100 }, (_, index) => `${index} `).join(''));
});

test('frames that are held are bounded: the page is paused while the service does not answer', async () => {
  const service = await startService();
  service.refuseWith = 'silence';
  const relay = await startTestRelay(service, {
    limits: { heldBytes: 10_000, charactersPerSession: 1e9, answerSeconds: 2 },
  });
  const client = await openPage(relay);
  client.send(start());
  for (let count = 0; count < 2000; count += 1) client.send(text('x'.repeat(30_000)));
  // What the relay does not read stays here.
  expect(await refusalOf(client)).toMatchObject({ code: 4502 });
  await expect.poll(() => relay.log).toMatchObject([{ event: 'session', status: 502 }]);
  expect((relay.log[0] as { characters: number }).characters).toBeLessThan(5_000_000);
});

test('security: a foreign Origin is refused with 403, as plain HTTP', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  for (const origin of ['https://evil.example', 'null', `${page}.evil.example`, 'http://app.example']) {
    await expect(openPage(relay, { headers: { origin } })).rejects.toThrow('403');
  }
  expect(service.ends).toHaveLength(0);
  (await openPage(relay, { headers: { origin: page.toUpperCase() } })).socket.close();
});

test('security: a Host that somebody else has pointed here is refused with 403 (DNS rebinding)', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, { hosts: ['relay.example'] });
  for (const host of ['evil.example', '127.0.0.1.evil.example:4030', 'evil.example:80']) {
    await expect(openPage(relay, { headers: { host } })).rejects.toThrow('403');
  }
  (await openPage(relay, { headers: { host: 'Relay.example:443' } })).socket.close();
});

test('security: only the name of the protocol is echoed, never the ticket', async () => {
  const service = await startService();
  const tickets = createTickets({ secret });
  const relay = await startTestRelay(service, {
    authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
  });
  const ticket = await tickets.issue({ user: 'anna' });
  const raw = await openRaw(relay);
  raw.write(
    `GET /v1/tts/live HTTP/1.1\r\nhost: localhost\r\norigin: ${page}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n` +
      `sec-websocket-protocol: speech-relay, ticket.${ticket}\r\nsec-websocket-extensions: permessage-deflate\r\n\r\n`,
  );
  const [answer] = (await once(raw, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 101[\s\S]*sec-websocket-protocol: speech-relay\r\n/i);
  expect(answer.toString()).not.toContain(ticket);
  // No compression, and so no compression bomb.
  expect(answer.toString().toLowerCase()).not.toContain('deflate');
  raw.destroy();
  await expect(openPage(relay, { protocols: [`ticket.${ticket}`] })).rejects.toThrow('400');
  expect(JSON.stringify(relay.log)).not.toContain(ticket);
});

test('security: a ticket is good once, for 30 seconds, and for what it fixes', async () => {
  const service = await startService();
  let time = Date.now();
  const tickets = createTickets({ secret, now: () => time });
  const relay = await startTestRelay(service, {
    authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
  });
  const open = (ticket: string): Promise<End> =>
    openPage(relay, { protocols: ['speech-relay', `ticket.${ticket}`] });
  const ticket = await tickets.issue({
    user: 'anna@example.com',
    model: 's1',
    voices: ['alba'],
    formats: ['opus'],
  });
  const claims = Buffer.from(ticket.split('.')[1] ?? '', 'base64url').toString();
  expect(claims).not.toContain('anna');
  const client = await open(ticket);
  await client.until('ready');
  expect((await serviceEnd(service)).upgrade?.headers.model).toBe('s1');
  client.send(start({ format: 'opus', reference_id: 'blake' }));
  expect(await refusalOf(client)).toMatchObject({ status: 403, code: 4403, error: /reference_id/ });

  expect(await refusalOf(await open(ticket))).toMatchObject({ status: 401, code: 4401, final: true });
  const late = await tickets.issue({ user: 'anna' });
  time += 31_000;
  const forged = await createTickets({ secret: `${secret}!`, now: () => time }).issue({ user: 'anna' });
  const [, body] = (await tickets.issue({ user: 'anna' })).split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
  for (const bad of [late, forged, unsigned, 'abc', '']) {
    expect(await refusalOf(await open(bad)), bad).toMatchObject({ status: 401, code: 4401 });
  }
  expect(await refusalOf(await openPage(relay))).toMatchObject({ status: 401, code: 4401 });
});

test('security: the key is seen nowhere but at the service, whatever the service says', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const seen: unknown[] = [];
  for (const [status, code] of [
    [401, 4500],
    [402, 4402],
    [403, 4500],
    [422, 4400],
    [429, 4429],
    [500, 4503],
    [302, 4500],
  ]) {
    service.refuseWith = status as number;
    const client = await openPage(relay);
    const refusal = await refusalOf(client);
    expect(refusal, String(status)).toMatchObject({ code });
    if (status === 429) expect(refusal).toMatchObject({ retry_after: 9, final: false });
    seen.push(refusal, (await client.closed).reason);
  }
  service.refuseWith = undefined;
  for (const [index, message] of [
    { event: 'error', error: `${secretKey} of account 77`, max_concurrency: 5 },
    { event: 'finish', reason: 'error', message: `${secretKey} of account 77` },
    { event: 'note', text: `${secretKey} of account 77` },
  ].entries()) {
    const client = await openPage(relay);
    const behind = await serviceEnd(service, index);
    await client.until('ready');
    client.send(start(), stop);
    await behind.until('stop');
    behind.send(message);
    behind.socket.send(`a text frame with ${secretKey}`);
    behind.socket.close(1011, secretKey);
    seen.push(await client.closed, client.messages());
  }
  // The traced words are ours.
  expect(JSON.stringify([seen, relay.log])).not.toMatch(/the-key|account 77/);
  expect(JSON.stringify(seen)).toContain('The text could not be spoken.');
  expect(service.ends).toHaveLength(3);
});

test('security: a model of a grant cannot inject a header', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, {
    authorize: () => ({ user: 'anna', model: 's1\r\nx-evil: 1' }),
  });
  expect(await refusalOf(await openPage(relay))).toMatchObject({ status: 500, code: 4500 });
  expect(service.ends).toHaveLength(0);
  expect(relay.relay.sessions).toBe(0);
});

const deep = Buffer.concat([
  ...[Buffer.of(0x82), encode('event'), encode('start'), encode('request')],
  ...[
    Buffer.of(0x82),
    encode('text'),
    encode(''),
    encode('seed'),
    Buffer.alloc(20_000, 0x91),
    Buffer.of(0xc0),
  ],
]);
const twice = Buffer.concat([
  Buffer.of(0x83),
  ...['event', 'text', 'text', 'a', 'text', 'b'].map((part) => encode(part)),
]);

test.each([
  ['a text frame', '{"event":"stop"}', 4422],
  ['bytes that are not MessagePack', Buffer.of(0xc1, 0, 0), 4422],
  ['a claim of four billion entries', Buffer.of(0xdd, 0xff, 0xff, 0xff, 0xff), 4422],
  ['a list', encode(['start']), 4422],
  ['twenty thousand levels', deep, 4422],
  ['two values', Buffer.concat([encode(stop), encode(stop)]), 4422],
  ['an unknown event', encode({ event: 'steal' }), 4422],
  ['an event of the prototype', encode({ event: 'toString' }), 4422],
  ['an unknown field', encode({ event: 'stop', now: 1 }), 4422],
  ['an invalid text', encode({ event: 'text', text: 5 }), 4422],
  ['an invalid request', encode({ event: 'start', request: [] }), 4422],
  ['samples of a voice', encode(start({ references: [{ audio: Uint8Array.of(1), text: 'a' }] })), 4403],
  ['a format that is not allowed', encode(start({ format: 'wav' })), 4403],
  ['a voice that is not allowed', encode(start({ format: 'pcm', reference_id: ['alba', 'blake'] })), 4403],
  ['a voice that is not a string', encode(start({ format: 'pcm', reference_id: { a: 1 } })), 4403],
  ['more text than granted', encode(text('👍'.repeat(101))), 4413],
  ['a frame above 64 KiB', encode(text('x'.repeat(70_000))), 1009],
])('security: %s from a page ends its session and reaches nobody', async (_, frame, code) => {
  const service = await startService();
  const relay = await startTestRelay(service, {
    authorize: () => ({ user: 'anna', voices: ['alba'], formats: ['pcm'], characters: 100 }),
  });
  const client = await openPage(relay);
  await client.until('ready');
  client.socket.send(frame);
  expect(await client.closed).toMatchObject({ code });
  const behind = await serviceEnd(service);
  await behind.closed;
  expect(behind.frames).toEqual([]);
});

test('security: what the service reads is what was checked, also where a field comes twice', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const client = await openPage(relay);
  await client.until('ready');
  client.socket.send(twice);
  const behind = await serviceEnd(service);
  await behind.until('text');
  expect(behind.frames[0]).toEqual(Buffer.from(encode(text('b'))));
});

test('samples of a voice pass where they are allowed, in messages larger than 64 KiB', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, {
    authorize: () => ({ user: 'anna', references: true, voices: [] }),
  });
  const client = await openPage(relay);
  const message = start({
    references: [[{ audio: new Uint8Array(200_000), text: 'a' }]],
    reference_id: ['any'],
  });
  client.socket.send(new Encoder().encode(message));
  const behind = await serviceEnd(service);
  await behind.until('start');
  expect(behind.frames[0]).toHaveLength(encode(message).length);
});

test('limits: sessions of a user at once, and a place that is free again', async () => {
  const service = await startService();
  let user = 'anna';
  const relay = await startTestRelay(service, {
    authorize: () => ({ user }),
    limits: { sessionsPerUser: 2 },
  });
  const clients = [await openPage(relay), await openPage(relay)];
  expect(await refusalOf(await openPage(relay))).toMatchObject({
    status: 429,
    code: 4429,
    final: false,
    retry_after: 1,
  });
  user = 'ben';
  clients.push(await openPage(relay));
  user = 'anna';
  clients[0]?.socket.terminate();
  await expect.poll(() => relay.relay.sessions).toBe(2);
  const again = await openPage(relay);
  await again.until('ready');
});

test.each([
  ['of a user within a minute', { startsPerUserAndMinute: 1 }, 4429],
  ['of an origin at once', { sessionsPerOrigin: 1 }, 4429],
  ['of an origin within a minute', { startsPerOriginAndMinute: 1 }, 4429],
  ['at once altogether', { sessions: 1 }, 4503],
])('limits: sessions %s', async (_, limits, code) => {
  const service = await startService();
  const relay = await startTestRelay(service, { limits });
  await (await openPage(relay)).until('ready');
  expect(await refusalOf(await openPage(relay))).toMatchObject({ code, final: false });
});

test.each([
  ['is open for too long', { sessionSeconds: 0.1 }, 4408],
  ['is idle for too long', { idleSeconds: 0.1 }, 4408],
])('limits: a session that %s ends', async (_, limits, code) => {
  const service = await startService();
  const relay = await startTestRelay(service, { limits });
  const client = await openPage(relay);
  expect(await refusalOf(client)).toMatchObject({ code, final: false });
  await (await serviceEnd(service)).closed;
});

test.each([
  ['throws', () => Promise.reject(new Error(`broken: ${secretKey}`)), 4500],
  ['says no', () => undefined, 4401],
  ['does not answer', () => new Promise<undefined>(() => {}), 4503],
])('an authorize that %s lets nobody in', async (_, authorize, code) => {
  const service = await startService();
  const relay = await startTestRelay(service, { authorize, limits: { answerSeconds: 0.05 } });
  const client = await openPage(relay);
  expect(await refusalOf(client)).toMatchObject({ code });
  expect(JSON.stringify([client.messages(), relay.log])).not.toContain(secretKey);
  expect(service.ends).toHaveLength(0);
});

test('security: a page that does not read stops the service, and loses nothing when it reads again', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const client = await openPage(relay);
  await client.until('ready');
  client.send(start(), text('Much.'), stop);
  const behind = await serviceEnd(service);
  await behind.until('stop');
  client.socket.pause();
  const total = 1000;
  for (let sent = 0; sent < total; sent += 1) behind.socket.send(encode(audio(65_536)));
  behind.send(finish);
  // Meanwhile another page is served, message by message.
  const other = await openPage(relay);
  await other.until('ready');
  const otherBehind = await serviceEnd(service, 1);
  for (let count = 1; count <= 300; count += 1) {
    other.send(text('Hello.'));
    await expect.poll(() => otherBehind.frames.length, { interval: 1 }).toBe(count);
    otherBehind.send(audio(10));
    await expect.poll(() => other.frames.length, { interval: 1 }).toBe(count + 1);
  }
  expect(behind.socket.bufferedAmount).toBeGreaterThan(30_000_000);
  client.socket.resume();
  await client.until('finish');
  expect(client.messages().filter(({ event }) => event === 'audio')).toHaveLength(total);
});

test('security: answers to pings do not pile up for a page that does not read', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, { limits: { heldBytes: 10_000 } });
  const client = await openPage(relay);
  await client.until('ready');
  let pongs = 0;
  client.socket.on('pong', () => {
    pongs += 1;
  });
  client.socket.ping('one');
  await expect.poll(() => pongs).toBe(1);
  client.socket.pause();
  const many = 200_000;
  for (let count = 0; count < many; count += 1) client.socket.ping('x'.repeat(120));
  await expect.poll(() => client.socket.bufferedAmount, { timeout: 30_000 }).toBe(0);
  client.socket.resume();
  client.socket.close();
  await client.closed;
  expect(pongs).toBeLessThan(many);
});

test('a page that leaves while it is decided upon takes no place', async () => {
  const service = await startService();
  let decide: (grant: { user: string }) => void = () => {};
  let asked = 0;
  const relay = await startTestRelay(service, {
    limits: { sessionsPerUser: 1 },
    authorize: () => {
      asked += 1;
      if (asked > 1) return { user: 'anna' };
      return new Promise((resolve) => {
        decide = resolve;
      });
    },
  });
  const raw = await openRaw(relay);
  raw.write(
    'GET /v1/tts/live HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      'sec-websocket-protocol: speech-relay\r\n\r\n',
  );
  await expect.poll(() => asked).toBe(1);
  raw.resetAndDestroy();
  await once(raw, 'close');
  // The relay sees it no later than what comes after it.
  await fetch(`${relay.url}/health`);
  decide({ user: 'anna' });
  await expect
    .poll(async () => {
      const client = await openPage(relay);
      const [message] = await Promise.race([once(client.socket, 'message'), client.closed.then(() => [])]);
      client.socket.close();
      return message === undefined ? 'refused' : client.messages()[0]?.event;
    })
    .toBe('ready');
});

test('a service that breaks off, or sends an invalid message, is reported as 502', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  for (const [index, act] of [
    (end: End) => end.socket.terminate(),
    (end: End) => end.socket.send(Buffer.of(0xc1)),
    (end: End) => end.socket.close(1011, 'x'),
  ].entries()) {
    const client = await openPage(relay);
    client.send(start(), text('Hello.'));
    const behind = await serviceEnd(service, index);
    await behind.until('text');
    act(behind);
    expect(await refusalOf(client)).toMatchObject({ status: 502, code: 4502 });
  }
  // Between two utterances a close is not a failure.
  const client = await openPage(relay);
  const behind = await serviceEnd(service, 3);
  await client.until('ready');
  behind.socket.close();
  expect(await client.closed).toMatchObject({ code: 1000 });
});

test('a drain takes no new session, lets an utterance finish, and tells the rest to come back', async () => {
  const service = await startService();
  let asked = 0;
  const authorize = (): { user: string } => {
    asked += 1;
    return { user: 'anna' };
  };
  const relay = await startTestRelay(service, { authorize, limits: { drainSeconds: 5 } });
  const [speaking, idle] = [await openPage(relay), await openPage(relay)];
  await Promise.all([speaking.until('ready'), idle.until('ready')]);
  speaking.send(start(), text('Hello.'), stop);
  const behind = service.ends.find(({ frames }) => frames.length > 0) ?? (await serviceEnd(service));
  await behind.until('stop');
  expect((await fetch(`${relay.url}/ready`)).status).toBe(200);
  const drained = relay.relay.drain();
  expect(await refusalOf(idle)).toMatchObject({ status: 503, code: 4503, final: false });
  expect((await fetch(`${relay.url}/ready`)).status).toBe(503);
  expect((await fetch(`${relay.url}/health`)).status).toBe(200);
  expect(await refusalOf(await openPage(relay))).toMatchObject({ code: 4503 });
  // Its ticket is still good at another relay.
  expect(asked).toBe(2);
  behind.send(audio(1000), finish);
  expect(await refusalOf(speaking)).toMatchObject({ code: 4503 });
  expect(speaking.messages().map(({ event }) => event)).toEqual(['ready', 'audio', 'finish', 'error']);
  await drained;
  expect(relay.relay.sessions).toBe(0);
});

test('a drain ends an utterance that does not finish in time', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, { limits: { drainSeconds: 0.1 } });
  const client = await openPage(relay);
  client.send(start(), text('Hello.'));
  await (await serviceEnd(service)).until('text');
  await relay.relay.drain();
  expect(await refusalOf(client)).toMatchObject({ code: 4503 });
});

test('a plain request gets an answer that says what to do, and an upgrade elsewhere is refused', async () => {
  const service = await startService();
  const relay = await startTestRelay(service);
  const live = await fetch(`${relay.url}/v1/tts/live`);
  expect([live.status, live.headers.get('upgrade')]).toEqual([426, 'websocket']);
  expect((await fetch(`${relay.url}/v1/tts`, { method: 'POST', body: 'a' })).status).toBe(404);
  const raw = await openRaw(relay);
  raw.write('GET /v1/tts HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n');
  const [answer] = (await once(raw, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 404/);
});

test('300 pages that come and go leave neither a session nor a socket behind', async () => {
  const service = await startService();
  const relay = await startTestRelay(service, { limits: { startsPerUserAndMinute: 1000 } });
  const handles = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const round = async (index: number): Promise<void> => {
    const client = await openPage(relay);
    if (index % 3 === 0) client.send(start());
    if (index % 2 === 0) await client.until('ready');
    client.socket.terminate();
  };
  await round(0);
  await expect.poll(() => relay.relay.sessions).toBe(0);
  const before = handles();
  for (let index = 0; index < 300; index += 1) await round(index);
  await expect.poll(() => relay.relay.sessions).toBe(0);
  await expect.poll(handles).toBeLessThanOrEqual(before + 2);
});

test('a relay refuses an address of the service that shows the key on the way', () => {
  for (const webSocketUrl of [
    'ws://api.example.com',
    'wss://me:secret@api.example.com',
    'https://api.example.com',
  ]) {
    const upstream = { webSocketUrl, apiKey: secretKey, model: 's2-pro' };
    expect(() => createRelay({ upstream, origins: [page], authorize: () => undefined })).toThrow(/wss:/);
  }
});

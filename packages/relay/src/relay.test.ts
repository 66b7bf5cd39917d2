import { once } from 'node:events';
import { createServer, globalAgent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Encoder, encode } from '@msgpack/msgpack';
import { liveCloseCodes } from '@speech-api/types/live';
import { expect, onTestFinished, test } from 'vitest';
import {
  audio,
  type End,
  finish,
  openPage,
  openRaw,
  openSession,
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

test('a page speaks through the relay: messages arrive, audio comes back byte for byte', async () => {
  const { client, behind, relay } = await openSession();
  client.send(start({ format: 'pcm' }), text('Hello 👍.'), { event: 'flush' }, stop);
  await behind.until('stop');
  expect(behind.messages()).toEqual([start({ format: 'pcm' }), text('Hello 👍.'), { event: 'flush' }, stop]);
  expect(behind.upgrade?.headers).toMatchObject({
    authorization: `Bearer ${secretKey}`,
    model: 's2-pro',
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
  });
  // Only the audio of a message reaches the page.
  const odd = Buffer.from(encode({ audio: Uint8Array.of(1, 2), more: true, event: 'audio' }));
  behind.send(audio(70_000));
  behind.socket.send(odd);
  behind.send(finish);
  await client.until('finish');
  expect(client.frames[1]).toEqual(behind.frames.length > 0 ? Buffer.from(encode(audio(70_000))) : undefined);
  expect(client.frames[2]).toEqual(Buffer.from(encode({ event: 'audio', audio: Uint8Array.of(1, 2) })));
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
        traceId: behind.upgrade?.headers.traceparent?.toString().split('-')[1],
      },
    ]);
  expect(relay.relay.sessions).toBe(0);
});

test('the connection to the service goes through the proxy that Node follows', async () => {
  const proxy = createServer().listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  // As Node sets it where NODE_USE_ENV_PROXY is 1.
  const { options } = globalAgent as unknown as { options: object };
  Object.assign(options, { proxyEnv: { HTTPS_PROXY: `http://127.0.0.1:${port}` } });
  onTestFinished(() => {
    Object.assign(options, { proxyEnv: undefined });
    proxy.close();
  });
  const relay = await startTestRelay({
    upstream: { webSocketUrl: 'wss://speech.test', apiKey: secretKey, model: 's2-pro' },
  });
  const asked = once(proxy, 'connect');
  const client = await openPage(relay);
  const [request, socket] = await asked;
  expect(request.url).toBe('speech.test:443');
  socket.destroy();
  await client.closed;
});

test('frames before the service is there are held, in order', async () => {
  const service = await startService();
  let open: () => void = () => {};
  service.gate = new Promise((resolve) => {
    open = resolve;
  });
  const relay = await startTestRelay({ service });
  const client = await openPage(relay);
  client.send(start(), ...Array.from({ length: 100 }, (_, index) => text(`${index} `)), stop);
  await expect.poll(() => client.socket.bufferedAmount).toBe(0);
  expect(client.frames).toEqual([]);
  open();
  const behind = await serviceEnd(relay);
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
  const relay = await startTestRelay({
    service,
    limits: { heldBytes: 10_000, charactersPerSession: 1e9, answerSeconds: 2 },
  });
  const client = await openPage(relay);
  client.send(start());
  for (let count = 0; count < 2000; count += 1) client.send(text('x'.repeat(30_000)));
  // Data that the relay does not read stays here.
  expect(await refusalOf(client)).toMatchObject({ code: 4502 });
  await expect.poll(() => relay.log).toMatchObject([{ event: 'session', status: 502 }]);
  expect((relay.log[0] as { characters: number }).characters).toBeLessThan(5_000_000);
});

test('samples of a voice pass where they are allowed, in messages larger than 64 KiB', async () => {
  const { client, behind } = await openSession({
    authorize: () => ({ user: 'anna', references: true, voices: [] }),
  });
  const message = start({
    references: [[{ audio: new Uint8Array(200_000), text: 'a' }]],
    reference_id: ['any'],
  });
  client.socket.send(new Encoder().encode(message));
  await behind.until('start');
  expect(behind.frames[0]).toHaveLength(encode(message).length);
});

test('limits: sessions of a user at once, and a place that is free again', async () => {
  let user = 'anna';
  const relay = await startTestRelay({
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
  const relay = await startTestRelay({ limits });
  await (await openPage(relay)).until('ready');
  expect(await refusalOf(await openPage(relay))).toMatchObject({ code, final: false });
});

test.each([
  ['is open for too long', { sessionSeconds: 0.1 }, 4408],
  ['is idle for too long', { idleSeconds: 0.1 }, 4408],
])('limits: a session that %s ends', async (_, limits, code) => {
  const relay = await startTestRelay({ limits });
  expect(await refusalOf(await openPage(relay))).toMatchObject({ code, final: false });
  await (await serviceEnd(relay)).closed;
});

test('a session whose time is over finishes its utterance, and not one more', async () => {
  const { client, behind } = await openSession({ limits: { sessionSeconds: 0.3 } });
  expect(client.messages()).toEqual([{ event: 'ready', seconds: 0.3 }]);
  client.send(start(), text('Hello.'), stop);
  await behind.until('stop');
  const { client: silent } = await openSession({ limits: { sessionSeconds: 0.3 } });
  // Younger, without an utterance, and so over before.
  expect(await refusalOf(silent)).toMatchObject({ code: 4408, final: false });
  behind.send(audio(1000), finish);
  expect(await refusalOf(client)).toMatchObject({ code: 4408, final: false });
  expect(client.messages().map(({ event }) => event)).toEqual(['ready', 'audio', 'finish', 'error']);
});

test('an utterance that goes on ends when the time of its session has passed twice', async () => {
  const { client } = await openSession({ limits: { sessionSeconds: 0.1 } });
  client.send(start());
  expect(await refusalOf(client)).toMatchObject({ code: 4408 });
});

test.each([
  ['does not answer a ping', { idleSeconds: 0.1 }, { autoPong: false }, []],
  ['is silent for too long', { idleSeconds: 0.1, silenceSeconds: 0.4 }, {}, []],
  ['was finished by the service', { idleSeconds: 0.1 }, {}, [finish]],
])('a client that never stops and %s is let go', async (_, limits, options, answers) => {
  const relay = await startTestRelay({ limits });
  const client = await openPage(relay, options);
  client.send(start());
  const behind = await serviceEnd(relay);
  await behind.until('start');
  behind.send(...answers);
  expect(await refusalOf(client)).toMatchObject({ code: 4408, final: false });
});

test('a pause within an utterance is not idle, and one behind its end is', async () => {
  const { client, behind } = await openSession({ limits: { idleSeconds: 0.1 } });
  client.send(start(), text('One moment. '));
  await behind.until('text');
  const { client: idle } = await openSession({ limits: { idleSeconds: 0.2 } });
  expect(await refusalOf(idle)).toMatchObject({ code: 4408 });
  client.send(text('Here it is.'), stop);
  expect(await refusalOf(client)).toMatchObject({ code: 4408 });
  expect(behind.messages().map(({ event }) => event)).toEqual(['start', 'text', 'text', 'stop']);
});

test.each([
  ['throws', () => Promise.reject(new Error(`broken: ${secretKey}`)), 4500],
  ['says no', () => undefined, 4401],
  ['does not answer', () => new Promise<undefined>(() => {}), 4503],
])('an authorize that %s lets nobody in', async (_, authorize, code) => {
  const relay = await startTestRelay({ authorize, limits: { answerSeconds: 0.05 } });
  const client = await openPage(relay);
  expect(await refusalOf(client)).toMatchObject({ code });
  expect(JSON.stringify([client.messages(), relay.log])).not.toContain(secretKey);
  expect(relay.service.ends).toHaveLength(0);
});

test('a page that leaves while it is decided upon takes no place', async () => {
  let decide: (grant: { user: string }) => void = () => {};
  let asked = 0;
  const relay = await startTestRelay({
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

test('a service that breaks off, or sends an invalid or too large message, is reported as 502', async () => {
  const relay = await startTestRelay({ limits: { serviceMessageBytes: 10_000 } });
  for (const [index, act] of [
    (end: End) => end.send(audio(20_000)),
    (end: End) => end.socket.terminate(),
    (end: End) => end.socket.send(Buffer.of(0xc1)),
    // Audio that breaks off within its length.
    (end: End) => end.socket.send(encode(audio(70_000)).subarray(0, 21)),
    (end: End) => end.socket.close(1011, 'x'),
  ].entries()) {
    const client = await openPage(relay);
    client.send(start(), text('Hello.'));
    const behind = await serviceEnd(relay, index);
    await behind.until('text');
    act(behind);
    expect(await refusalOf(client)).toMatchObject({ status: 502, code: 4502 });
  }
  // Between two utterances a close is not a failure.
  const client = await openPage(relay);
  const behind = await serviceEnd(relay, 5);
  await client.until('ready');
  behind.socket.close();
  expect(await client.closed).toMatchObject({ code: 1000 });
});

test.each([
  [liveCloseCodes.notMessagePack, 400],
  [liveCloseCodes.refused, 400],
  [liveCloseCodes.tooLarge, 413],
])(
  'a service that closes with %d has refused the message: trying again cannot help',
  async (code, status) => {
    const { client, behind, relay } = await openSession();
    client.send(start(), text('Hello.'));
    await behind.until('text');
    behind.socket.close(code, secretKey);
    expect(await refusalOf(client)).toMatchObject({ status, final: true, code: 4000 + status });
    expect(JSON.stringify([client.messages(), relay.log])).not.toContain(secretKey);
  },
);

test('a drain takes no new session, lets an utterance finish, and tells the rest to come back', async () => {
  let asked = 0;
  const authorize = (): { user: string } => {
    asked += 1;
    return { user: 'anna' };
  };
  const relay = await startTestRelay({ authorize, limits: { drainSeconds: 5 } });
  const [speaking, idle] = [await openPage(relay), await openPage(relay)];
  await Promise.all([speaking.until('ready'), idle.until('ready')]);
  speaking.send(start(), text('Hello.'), stop);
  const behind = relay.service.ends.find(({ frames }) => frames.length > 0) ?? (await serviceEnd(relay));
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
  const { client, behind, relay } = await openSession({ limits: { drainSeconds: 0.1 } });
  client.send(start(), text('Hello.'));
  await behind.until('text');
  await relay.relay.drain();
  expect(await refusalOf(client)).toMatchObject({ code: 4503 });
});

test('a plain request gets an answer that says what to do, and an upgrade elsewhere is refused', async () => {
  const relay = await startTestRelay();
  const live = await fetch(`${relay.url}/v1/tts/live`);
  expect([live.status, live.headers.get('upgrade')]).toEqual([426, 'websocket']);
  expect((await fetch(`${relay.url}/v1/tts`, { method: 'POST', body: 'a' })).status).toBe(404);
  const raw = await openRaw(relay, { path: '/v1/tts' });
  const [answer] = (await once(raw, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 404/);
  // What Java sends on plain HTTP.
  const h2c = await openRaw(
    relay,
    'GET /health HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
  );
  expect(String(await once(h2c, 'data'))).toMatch(/^HTTP\/1.1 200/);
});

test('300 pages that come and go leave neither a session nor a socket behind', async () => {
  const relay = await startTestRelay({ limits: { startsPerUserAndMinute: 1000 } });
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

import { once } from 'node:events';
import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
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
  startTestRelay,
  stop,
  text,
} from './testing/service.ts';
import { createTickets } from './tickets.ts';

const secret = 'a secret of thirty-two bytes, or more';

test('security: a foreign Origin is refused with 403, as plain HTTP', async () => {
  const relay = await startTestRelay();
  for (const origin of ['https://evil.example', 'null', `${page}.evil.example`, 'http://app.example']) {
    await expect(openPage(relay, { headers: { origin } })).rejects.toThrow('403');
  }
  expect(relay.service.ends).toHaveLength(0);
  (await openPage(relay, { headers: { origin: page.toUpperCase() } })).socket.close();
});

test('security: a Host that somebody else has pointed here is refused with 403 (DNS rebinding)', async () => {
  const relay = await startTestRelay({ hosts: ['relay.example'] });
  for (const host of ['evil.example', '127.0.0.1.evil.example:4030', 'evil.example:80']) {
    await expect(openPage(relay, { headers: { host } })).rejects.toThrow('403');
  }
  const forwarded = { 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' };
  await expect(openPage(relay, { headers: { host: 'evil.example', ...forwarded } })).rejects.toThrow('403');
  (await openPage(relay, { headers: { host: 'Relay.example:443' } })).socket.close();
});

test('security: only the name of the protocol is echoed, never the ticket', async () => {
  const tickets = createTickets({ secret });
  const relay = await startTestRelay({
    authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
  });
  const ticket = await tickets.issue({ user: 'anna' });
  const raw = await openRaw(relay, { protocols: `speech-relay, ticket.${ticket}` });
  const [answer] = (await once(raw, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 101[\s\S]*sec-websocket-protocol: speech-relay\r\n/i);
  expect(answer.toString()).not.toContain(ticket);
  // Compression is not offered, so there are no compression bombs.
  expect(answer.toString().toLowerCase()).not.toContain('deflate');
  await expect(openPage(relay, { protocols: [`ticket.${ticket}`] })).rejects.toThrow('400');
  expect(JSON.stringify(relay.log)).not.toContain(ticket);
});

test('security: a ticket is good once, for 30 seconds and 5 for the clocks, and for what it fixes', async () => {
  let time = Date.now();
  const tickets = createTickets({ secret, now: () => time });
  const relay = await startTestRelay({
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
  expect((await serviceEnd(relay)).upgrade?.headers.model).toBe('s1');
  client.send(start({ format: 'opus', reference_id: 'blake' }));
  expect(await refusalOf(client)).toMatchObject({
    status: 403,
    code: 4403,
    error: expect.stringContaining('reference_id'),
  });

  expect(await refusalOf(await open(ticket))).toMatchObject({ status: 401, code: 4401, final: true });
  const late = await tickets.issue({ user: 'anna' });
  time += 36_000;
  const forged = await createTickets({ secret: `${secret}!`, now: () => time }).issue({ user: 'anna' });
  const [, body] = (await tickets.issue({ user: 'anna' })).split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
  expect(await refusalOf(await open(late))).toMatchObject({ error: 'The ticket has expired.' });
  expect(await refusalOf(await open(forged))).toMatchObject({ error: 'The ticket is not valid.' });
  for (const bad of [late, forged, unsigned, 'abc', '']) {
    expect(await refusalOf(await open(bad)), bad).toMatchObject({ status: 401, code: 4401 });
  }
  expect(await refusalOf(await openPage(relay))).toMatchObject({ status: 401, code: 4401 });
  const inHeader = await openPage(relay, {
    headers: { authorization: `Bearer ${await tickets.issue({ user: 'anna' })}` },
  });
  expect(await refusalOf(inHeader)).toMatchObject({
    status: 401,
    error: expect.stringContaining('subprotocol ticket.<ticket>'),
  });
});

test('security: the key is seen nowhere but at the service, whatever the service says', async () => {
  const relay = await startTestRelay();
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
    relay.service.refuseWith = status as number;
    const client = await openPage(relay);
    const refusal = await refusalOf(client);
    expect(refusal, String(status)).toMatchObject({ code });
    if (status === 429) expect(refusal).toMatchObject({ retry_after: 9, final: false });
    seen.push(refusal, (await client.closed).reason);
  }
  relay.service.refuseWith = undefined;
  for (const [index, message] of [
    { event: 'error', error: `${secretKey} of account 77`, max_concurrency: 5 },
    { event: 'error', error: `${secretKey} of account 77`, status: 402 },
    { event: 'finish', reason: 'error', message: `${secretKey} of account 77` },
    { event: 'note', text: `${secretKey} of account 77` },
  ].entries()) {
    const client = await openPage(relay);
    const behind = await serviceEnd(relay, index);
    await client.until('ready');
    client.send(start(), stop);
    await behind.until('stop');
    behind.send(message);
    behind.socket.send(`a text frame with ${secretKey}`);
    behind.socket.close(1011, secretKey);
    seen.push(await client.closed, client.messages());
    if ('status' in message) expect(await client.closed).toMatchObject({ code: 4402 });
  }
  // The log contains none of the client's words.
  expect(JSON.stringify([seen, relay.log])).not.toMatch(/the-key|account 77/);
  expect(JSON.stringify(seen)).toContain('The text could not be spoken.');
  // The first status is that of the upgrade, the second that of a message.
  expect(relay.log.filter((entry) => 'serviceStatus' in entry && entry.serviceStatus === 402)).toHaveLength(
    2,
  );
  expect(relay.service.ends).toHaveLength(4);
});

const twice = Buffer.concat([
  Buffer.of(0x83),
  ...['event', 'text', 'text', 'a', 'text', 'b'].map((part) => encode(part)),
]);

test.each([
  ['a text frame', '{"event":"stop"}', 4422],
  ['bytes that are not MessagePack', Buffer.of(0xc1, 0, 0), 4422],
  ['a list', encode(['start']), 4422],
  ['nine levels', encode(start({ format: 'pcm', seed: [[[[[[[1]]]]]]] })), 4422],
  ['two values', Buffer.concat([encode(stop), encode(stop)]), 4422],
  ['an event of the prototype', encode({ event: 'toString' }), 4422],
  ['an unknown field', encode({ event: 'stop', now: 1 }), 4422],
  ['a time', encode({ event: 'start', request: { text: '', format: 'pcm', seed: new Date() } }), 4422],
  ['an invalid text', encode({ event: 'text', text: 5 }), 4422],
  ['an invalid request', encode({ event: 'start', request: null }), 4422],
  ['an unknown field of the request', encode(start({ format: 'pcm', voice: 'eve' })), 4422],
  ['samples of a voice', encode(start({ references: [{ audio: Uint8Array.of(1), text: 'a' }] })), 4403],
  ['a format that is not allowed', encode(start({ format: 'wav' })), 4403],
  ['a voice that is not allowed', encode(start({ format: 'pcm', reference_id: ['alba', 'blake'] })), 4403],
  ['a voice that is not a string', encode(start({ format: 'pcm', reference_id: { a: 1 } })), 4403],
  ['more text than granted', encode(text('👍'.repeat(101))), 4413],
  ['a frame above 64 KiB', encode(text('x'.repeat(70_000))), 1009],
])('security: %s from a page ends its session and reaches nobody', async (_, frame, code) => {
  const relay = await startTestRelay({
    authorize: () => ({ user: 'anna', voices: ['alba'], formats: ['pcm'], characters: 100 }),
  });
  const client = await openPage(relay);
  await client.until('ready');
  client.socket.send(frame);
  expect(await client.closed).toMatchObject({ code });
  const behind = await serviceEnd(relay);
  await behind.closed;
  expect(behind.frames).toEqual([]);
});

test('security: what the service reads is what was checked, also where a field comes twice', async () => {
  const { client, behind } = await openSession();
  client.socket.send(twice);
  await behind.until('text');
  expect(behind.frames[0]).toEqual(Buffer.from(encode(text('b'))));
  // Half a surrogate pair, which is not UTF-8.
  const head = Buffer.from(encode(text('?')).subarray(0, -2));
  client.socket.send(Buffer.concat([head, Buffer.of(0xa3, 0xed, 0xa0, 0xbd)]));
  expect(await client.closed).toMatchObject({ code: 4422 });
  await behind.closed;
  expect(behind.frames).toHaveLength(1);
});

test('security: a page that does not read stops the service, and loses nothing when it reads again', async () => {
  const { client, behind, relay } = await openSession();
  client.send(start(), text('Much.'), stop);
  await behind.until('stop');
  client.socket.pause();
  const total = 1000;
  for (let sent = 0; sent < total; sent += 1) behind.socket.send(encode(audio(65_536)));
  behind.send(finish);
  // Meanwhile another page is served message by message.
  const page = await openPage(relay);
  await page.until('ready');
  const otherBehind = await serviceEnd(relay, 1);
  for (let count = 1; count <= 300; count += 1) {
    page.send(text('Hello.'));
    await expect.poll(() => otherBehind.frames.length, { interval: 1 }).toBe(count);
    otherBehind.send(audio(10));
    await expect.poll(() => page.frames.length, { interval: 1 }).toBe(count + 1);
  }
  expect(behind.socket.bufferedAmount).toBeGreaterThan(30_000_000);
  client.socket.resume();
  await client.until('finish');
  expect(client.messages().filter(({ event }) => event === 'audio')).toHaveLength(total);
});

test('security: answers to pings do not pile up for a page that does not read', async () => {
  const relay = await startTestRelay({ limits: { heldBytes: 10_000 } });
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

const sample = { audio: Buffer.of(1), text: 'Hello.' };

test.each([
  ['an empty list of samples', { references: [] }],
  ['a list of an empty list of samples', { references: [[]] }],
  ['a speaker without samples', { references: [[{ audio: Buffer.of(1), text: '' }], []] }],
  ['samples without audio', { references: [{ text: 'Hello.' }] }],
  ['samples of empty audio', { references: [{ audio: Buffer.of(), text: '' }] }],
  ['no samples', { references: null }],
  ['samples that are an object', { references: {} }],
  ['samples that are an empty text', { references: '' }],
  ['an empty list of voices', { reference_id: [] }],
  ['an empty voice', { reference_id: '' }],
  ['the voice twice, once empty', { reference_id: ['alba', ''] }],
  ['a list of samples', { references: [sample] }],
  ['a sample outside a list', { references: sample }],
  ['a list of samples for names', { reference_id: ['eve'], references: [sample] }],
  ['samples for fewer speakers', { reference_id: ['anna', 'eve'], references: [[sample]] }],
])('%s cannot lift the list of voices', async (_what, request) => {
  const grant = { user: 'anna', voices: ['alba'], references: true };
  const { client, behind } = await openSession({ authorize: () => grant });
  client.send(start({ reference_id: 'eve', ...request }), text('Hello.'));
  expect([4403, 4422]).toContain(((await refusalOf(client)) as { code: number }).code);
  expect(behind.messages()).toEqual([]);
});

test.each([
  [-4, true],
  [34, true],
  [-7, false],
  [37, false],
])('a ticket %i seconds after its issue, by another clock: %s', async (seconds, good) => {
  let now = 1_800_000_000_000;
  const tickets = createTickets({ secret, now: () => now });
  const ticket = await tickets.issue({ user: 'anna' });
  now += seconds * 1000;
  if (good) expect(await tickets.redeem(ticket)).toBeDefined();
  // A ticket that is valid for five more seconds is remembered for that long.
  if (good) now += 500;
  const another = await tickets.issue({ user: 'ben' });
  if (good) await tickets.redeem(another);
  const reason = good ? 'used before' : /expired|not valid/;
  await expect(tickets.redeem(ticket)).rejects.toThrow(reason);
});

test('a page cannot send messages without end', async () => {
  const relay = await startTestRelay();
  const client = await openPage(relay);
  client.send(start(), ...Array.from({ length: 5000 }, () => text('')));
  expect(await refusalOf(client)).toMatchObject({ code: 4429 });
});

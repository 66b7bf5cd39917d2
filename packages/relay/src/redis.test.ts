import { createClient } from '@redis/client';
import { expect, onTestFinished, test } from 'vitest';
import {
  connected,
  open,
  outcome,
  ready,
  startRedis,
  startRelayProcess,
  startTwoRelays,
  ticketSecret,
  tickets,
} from './testing/redis.ts';
import {
  audio,
  finish,
  openPage,
  refusalOf,
  serviceEnd,
  start,
  startService,
  startTestRelay,
  stop,
  text,
} from './testing/service.ts';
import { createTickets } from './tickets.ts';

// One case for each promise; redis.complete.test.ts has the others. Part of `npm run test:full -- faults`.

test('two relays keep one limit of sessions, and what ends at one is free at the other', async () => {
  const { relays } = await startTwoRelays({ sessionsPerUser: 2 });
  const [first, second] = relays;
  const [one, other] = [await open(first), await open(second)];
  await Promise.all([one.until('ready'), other.until('ready')]);
  for (const relay of relays) expect(await outcome(relay)).toBe(4429);
  expect(await outcome(second, undefined, 'ben')).toBe('ready');
  one.socket.terminate();
  await expect.poll(() => outcome(second)).toBe('ready');
  // A relay that ends in peace gives everything back.
  await first.kill('SIGTERM');
  expect(await outcome(second)).toBe('ready');
});

test('security: a ticket that one relay redeemed is refused by the other', async () => {
  const { relays } = await startTwoRelays();
  const [, second] = relays;
  const ticket = await tickets.issue({ user: 'anna' });
  expect(await outcome(second, ticket)).toBe('ready');
  for (const relay of relays) expect(await outcome(relay, ticket)).toBe(4401);
});

test('security: a Redis that lost its data refuses older tickets, also those of a clock that is ahead', async () => {
  const redis = await startRedis();
  await redis.kill();
  await redis.start();
  const state = await connected({ url: redis.url });
  let seconds = 0;
  const ahead = createTickets({ secret: ticketSecret, state, now: () => Date.now() + seconds * 1000 });
  const redeem = async (): Promise<object> => ahead.redeem(await ahead.issue({ user: 'anna' }));
  await expect(redeem()).rejects.toMatchObject({ status: 503 });
  seconds = 4;
  await expect(redeem()).rejects.toMatchObject({ status: 503 });
  seconds = 8;
  expect(await redeem()).toMatchObject({ user: expect.any(String) });
});

test('security: Redis does not see whom it counts', async () => {
  const redis = await startRedis();
  const relay = await startTestRelay({
    state: await connected({ url: redis.url }),
    authorize: () => ({ user: 'anna@example.com' }),
  });
  const page = await openPage(relay);
  page.send(start(), text('Something private.'), stop);
  await (await serviceEnd(relay)).until('stop');
  const client = createClient({ url: redis.url });
  await client.connect();
  onTestFinished(() => client.destroy());
  const keys = await client.keys('*');
  // When it began, and for the user and the origin: places, sessions of the minute, characters of the day.
  expect(keys).toHaveLength(7);
  const dump = JSON.stringify([keys, await Promise.all(keys.map((key) => client.dump(key)))]);
  expect(dump).not.toMatch(/anna|app\.example|private/);
});

test('points are given back to Redis within their window, and not to the next one', async () => {
  const redis = await startRedis();
  const state = await connected({ url: redis.url });
  const client = createClient({ url: redis.url });
  await client.connect();
  onTestFinished(() => client.destroy());
  const rate = state.createRate('test', 10, 3);
  const count = async () => Number(await client.get('{speech-relay}:test:anna'));
  const giveBack = await rate.take('anna', 8);
  await giveBack(2);
  expect(await count()).toBe(6);
  await expect(rate.take('anna', 5)).rejects.toMatchObject({ msBeforeNext: expect.any(Number) });
  expect(await count()).toBe(6);
  await expect.poll(count, { timeout: 10_000 }).toBe(0);
  await giveBack(6);
  expect(await client.exists('{speech-relay}:test:anna')).toBe(0);
  await rate.take('anna', 7);
  await giveBack(6);
  expect(await count()).toBe(7);
});

test('a Redis that hangs is like one that is gone: open sessions go on with a share, and it is used again when it answers', async () => {
  const redis = await startRedis();
  const service = await startService();
  const relay = await startRelayProcess(service, redis.url, { charactersPerUserAndDay: 10_000 });
  const index = service.ends.length;
  const client = await open(relay);
  await client.until('ready');
  const behind = await serviceEnd({ service }, index);
  redis.signal('SIGSTOP');
  onTestFinished(() => redis.signal('SIGCONT'));
  client.send(start(), text('x'.repeat(600)), stop);
  await behind.until('stop');
  behind.send(audio(1000), finish);
  await client.until('finish');
  // A tenth of the day's limit is for this relay.
  client.send(start(), text('x'.repeat(600)), stop);
  expect(await refusalOf(client)).toMatchObject({ code: 4429 });
  expect(await outcome(relay)).toBe(4503);
  await expect.poll(() => ready(relay)).toBe(503);
  redis.signal('SIGCONT');
  await expect.poll(() => outcome(relay)).toBe('ready');
});

test('security: a Redis that cannot be reached ends the relay at its start, and no password is shown', async () => {
  const redis = await startRedis('the-password');
  const service = await startService();
  const wrong = redis.url.replace('the-password', 'not-the-password');
  const refused = await startRelayProcess(service, wrong).catch((error: unknown) => String(error));
  expect(refused).toMatch(/Redis at 127\.0\.0\.1:\d+ .*WRONGPASS/);
  const relay = await startRelayProcess(service, redis.url);
  await redis.kill();
  await expect.poll(() => relay.log.join('\n')).toContain('"lost"');
  const missing = await startRelayProcess(service, redis.url).catch((error: unknown) => String(error));
  expect(missing).toMatch(/Redis at 127\.0\.0\.1:\d+ .*ECONNREFUSED/);
  expect([refused, missing, ...relay.log].join('\n')).not.toMatch(/the-password/);
});

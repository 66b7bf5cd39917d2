import { createClient } from '@redis/client';
import { expect, onTestFinished, test } from 'vitest';
import type { RedisLogEntry } from './redis.ts';
import {
  connected,
  open,
  outcome,
  type RelayProcess,
  ready,
  startRedis,
  startTwoRelays,
  ticketSecret,
} from './testing/redis.ts';
import {
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

// Run by `npm run test:full -- faults --complete`.

test('two relays keep one limit of characters within a day', async () => {
  const { service, relays } = await startTwoRelays({ charactersPerUserAndDay: 1000 });
  const [first, second] = relays;
  const speak = async (relay: RelayProcess, characters: number): Promise<unknown> => {
    const index = service.ends.length;
    const end = await open(relay);
    const behind = await serviceEnd({ service }, index);
    end.send(start(), text('x'.repeat(characters)), stop);
    const result = await behind.until('stop').then(
      () => 'spoken',
      () => refusalOf(end),
    );
    end.socket.close();
    await behind.closed;
    return result;
  };
  expect(await speak(first, 600)).toBe('spoken');
  expect(await speak(second, 600)).toMatchObject({ code: 4429, retry_after: expect.any(Number) });
  expect(await speak(second, 400)).toBe('spoken');
  expect(await speak(first, 1)).toMatchObject({ code: 4429 });
});

test('the places of a relay that was killed come back, and the limit of both is kept all the while', async () => {
  const { relays } = await startTwoRelays({ sessionsPerUser: 2 });
  const [first, second] = relays;
  const [one, other] = [await open(first), await open(second)];
  await Promise.all([one.until('ready'), other.until('ready')]);
  await first.kill('SIGKILL');
  // The lease of the dead session still counts.
  expect(await outcome(second)).toBe(4429);
  const again = await expect
    .poll(
      async () => {
        const end = await open(second);
        const came = await Promise.race([end.until('ready').then(() => end), end.closed]).catch(
          () => undefined,
        );
        return came === end ? 'ready' : 'refused';
      },
      { interval: 2500, timeout: 45_000 },
    )
    .toBe('ready')
    .then(() => outcome(second));
  // One place came back, not two: the session of the living relay was renewed.
  expect(again).toBe(4429);
  expect(other.socket.readyState).toBe(other.socket.OPEN);
}, 90_000);

test('a session has a place under every key or under none, however many ask at once', async () => {
  const redis = await startRedis();
  const states = [await connected({ url: redis.url }), await connected({ url: redis.url })];
  const places = (user: number) => [
    { key: `user:${user}`, limit: 1 },
    { key: 'origin:page', limit: 10 },
  ];
  const asked = Array.from({ length: 60 }, (_, index) => states[index % 2]?.takePlaces(places(index % 20)));
  expect((await Promise.all(asked)).filter((giveBack) => giveBack !== undefined)).toHaveLength(10);
  const client = createClient({ url: redis.url });
  await client.connect();
  onTestFinished(() => client.destroy());
  expect(await client.zCard('{speech-relay}:places:origin:page')).toBe(10);
  expect(await client.keys('{speech-relay}:places:user:*')).toHaveLength(10);
});

test('without Redis a relay that may allow counts for itself, and tells Redis later', async () => {
  const redis = await startRedis();
  const service = await startService();
  const log: RedisLogEntry[] = [];
  const options = { url: redis.url, leaseSeconds: 1, log: (entry: RedisLogEntry) => log.push(entry) };
  const state = await connected({ ...options, whenUnavailable: 'allow' });
  const relay = await startTestRelay({
    service,
    state,
    limits: { sessionsPerUser: 2, charactersPerUserAndDay: 700 },
  });
  await redis.kill();
  const client = await openPage(relay);
  await client.until('ready');
  expect(await ready(relay)).toBe(200);
  client.send(start(), text('x'.repeat(600)), stop);
  await (await serviceEnd({ service })).until('stop');
  const other = await openPage(relay);
  await other.until('ready');
  other.send(start(), text('x'.repeat(600)));
  expect(await refusalOf(other)).toMatchObject({ code: 4429 });
  const again = await openPage(relay);
  await again.until('ready');
  expect(await refusalOf(await openPage(relay))).toMatchObject({ code: 4429 });
  // A ticket is refused even here.
  const shared = createTickets({ secret: ticketSecret, state });
  await expect(shared.redeem(await shared.issue({ user: 'anna' }))).rejects.toMatchObject({ status: 503 });

  await redis.start();
  const elsewhere = await connected({ url: redis.url, leaseSeconds: 1 });
  const place = (limit: number) => [{ key: 'probe', limit }];
  await expect.poll(() => elsewhere.takePlaces(place(1))).toBeDefined();
  const relayElsewhere = await startTestRelay({ service, state: elsewhere, limits: { sessionsPerUser: 2 } });
  await expect.poll(async () => (await refusalOfSoon(relayElsewhere)).code).toBe(4429);
  expect(log.map(({ state: name }) => name)).toEqual(['lost', 'connected']);
});

test('a Redis that was killed counts the open sessions again when it is back, each of them once', async () => {
  const { redis, relays } = await startTwoRelays({ sessionsPerUser: 2 });
  const [first, second] = relays;
  const one = await open(first);
  await one.until('ready');
  await redis.kill();
  await expect.poll(() => ready(second)).toBe(503);
  await redis.start();
  await redis.runsForLong();
  await expect.poll(() => Promise.all(relays.map(ready))).toEqual([200, 200]);
  const other = await open(second);
  await other.until('ready');
  for (const relay of relays) expect(await outcome(relay)).toBe(4429);
  one.socket.terminate();
  await expect.poll(() => outcome(second)).toBe('ready');
  expect(other.socket.readyState).toBe(other.socket.OPEN);
});

/** Opens a page, and closes it at once where it is let in. */
async function refusalOfSoon(relay: Pick<RelayProcess, 'url'>): Promise<{ code?: number }> {
  const end = await openPage(relay);
  await end.until('ready').then(
    () => end.socket.close(),
    () => {},
  );
  return await end.closed;
}

import { AbortError, ConnectionError, TooManyRequestsError } from '@speech-api/client';
import { expect, test, vi } from 'vitest';
import { createConnectLive } from './connection.ts';
import { openNodeSocket } from './node-socket.ts';
import { createLivePool } from './pool.ts';
import {
  after,
  answer,
  collect,
  failureOf,
  type Script,
  speaks,
  startScript,
} from './testing/scripted-server.ts';

const connectLive = createConnectLive(openNodeSocket);

async function startPool(script: Script, options: Parameters<typeof createLivePool>[1] = {}) {
  const server = await startScript(script);
  const pool = createLivePool(() => connectLive(server.source, { format: 'mp3' }), options);
  return { ...server, pool };
}

test('a pool begins with one connection, which the first to ask gets', async () => {
  const { pool, peers } = await startPool(speaks(1));
  await vi.waitUntil(() => pool.ready === 1);
  expect(peers).toHaveLength(1);
  const connection = await pool.take();
  expect(peers).toHaveLength(1);
  expect(await collect(connection.speak('Hello.'))).toHaveLength(6);
  connection.close();
  expect(() => connection.speak('again')).toThrow(/was closed/);
  await vi.waitUntil(() => pool.ready >= 1);
  pool.close();
  await Promise.all(peers.map(({ closed }) => closed));
});

test('a connection that is given back is used again, and each has a trace of its own', async () => {
  const { pool, peers } = await startPool(speaks(1), { maximum: 1 });
  for (const text of ['One.', 'And two.', 'The third.']) {
    const connection = await pool.take();
    expect(await collect(connection.speak(text))).toHaveLength(text.length);
    connection.close();
  }
  expect(peers).toHaveLength(1);
  pool.close();
  const wide = await startPool(speaks(1), { maximum: 3 });
  const three = await Promise.all([wide.pool.take(), wide.pool.take(), wide.pool.take()]);
  const traces = new Set(wide.peers.map(({ upgrade }) => String(upgrade.headers.traceparent)));
  expect([wide.pool.taken, wide.peers.length, traces.size]).toEqual([3, 3, 3]);
  for (const connection of three) connection.close();
  wide.pool.close();
});

test('with all in use, take waits for one that is given back, in order, and can be given up', async () => {
  const { pool, peers } = await startPool(speaks(1), { maximum: 1 });
  const first = await pool.take();
  const order: number[] = [];
  const second = pool.take().then((connection) => {
    order.push(2);
    return connection;
  });
  const abort = new AbortController();
  const impatient = pool.take({ signal: abort.signal });
  const third = pool.take().then((connection) => {
    order.push(3);
    return connection;
  });
  abort.abort();
  expect(await failureOf(impatient)).toBeInstanceOf(AbortError);
  first.close();
  (await second).close();
  (await third).close();
  expect([order, peers.length]).toEqual([[2, 3], 1]);
  pool.close();
  expect(await failureOf(pool.take())).toBeInstanceOf(ConnectionError);
});

test('a connection that the server closed meanwhile is never handed out', async () => {
  const { pool, peers } = await startPool(speaks(1));
  await vi.waitUntil(() => pool.ready === 1);
  peers[0]?.socket.close(1000);
  await vi.waitUntil(() => pool.ready === 0);
  const connection = await pool.take();
  expect(await collect(connection.speak('Hello.'))).toHaveLength(6);
  pool.close();
  connection.close();
});

test('a connection retires before the server would close it, and another one takes its place', async () => {
  const { pool, peers } = await startPool(speaks(1), { retireMilliseconds: 20 });
  await vi.waitUntil(() => peers.length >= 3);
  await peers[0]?.closed;
  await peers[1]?.closed;
  const connection = await pool.take();
  expect(await collect(connection.speak('Hello.'))).toHaveLength(6);
  connection.close();
  pool.close();
});

test('an utterance that is cut short closes its socket, and its place is free', async () => {
  const { pool, peers } = await startPool(
    after('text', (peer) => peer.audio(5)),
    { maximum: 1 },
  );
  const connection = await pool.take();
  for await (const _audio of connection.speak('Hello.')) {
    connection.close();
    break;
  }
  await peers[0]?.closed;
  const next = await pool.take();
  expect(peers).toHaveLength(2);
  next.close();
  pool.close();
});

test('after a refusal nothing is tried again until somebody asks, and a waiting take fails with it', async () => {
  let attempts = 0;
  const limited = await startPool({
    refuse: (_request, socket) => {
      attempts += 1;
      answer(socket, 429, '{"message":"too many"}');
    },
  });
  await vi.waitUntil(() => attempts === 1);
  expect(await failureOf(limited.pool.take())).toBeInstanceOf(TooManyRequestsError);
  // Nothing is tried again until somebody asks.
  expect(attempts).toBe(2);
  limited.pool.close();
});

test('a connection that is closed as soon as it is open fails a waiting take, and is not opened again', async () => {
  const closed = await startPool({ onPeer: ({ socket }) => socket.close(4429, 'wait') });
  expect(await failureOf(closed.pool.take())).toBeInstanceOf(TooManyRequestsError);
  expect(closed.peers).toHaveLength(1);
  const { source, peers } = await startScript({});
  const pool = createLivePool(async () => {
    const connection = await connectLive(source);
    connection.close();
    return connection;
  });
  expect(await failureOf(pool.take())).toBeInstanceOf(ConnectionError);
  expect(peers).toHaveLength(1);
});

test('a take that is aborted in the turn in which it gets a connection gives it to the next', async () => {
  const { pool } = await startPool(speaks(1), { maximum: 1 });
  const first = await pool.take();
  const abort = new AbortController();
  const impatient = pool.take({ signal: abort.signal });
  const next = pool.take();
  first.close();
  abort.abort();
  expect(await failureOf(impatient)).toBeInstanceOf(AbortError);
  expect((await next).isReady).toBe(true);
  pool.close();
  (await next).close();
});

test('options that cannot work are refused', () => {
  const connect = () => Promise.reject(new Error('never asked'));
  expect(() => createLivePool(connect, { maximum: 0 })).toThrow(/maximum must be/);
  expect(() => createLivePool(connect, { retireMilliseconds: Number.NaN })).toThrow(/retireMilliseconds/);
});

import { expect, test } from 'vitest';
import { JobPool, runParts } from './run-parts.ts';

test('recordings that share a pool take turns within it, and one that ends leaves its places to the others', async () => {
  const pool = new JobPool(3);
  const started: string[] = [];
  const underWay: string[] = [];
  const most = { all: 0, long: 0 };
  async function run(name: string, parts: number[]): Promise<number[]> {
    const send = async (index: number) => {
      started.push(name);
      underWay.push(name);
      most.all = Math.max(most.all, underWay.length);
      most.long = Math.max(most.long, underWay.filter((other) => other === 'long').length);
      // The parts finish in another order than theirs.
      await new Promise((resolve) => setTimeout(resolve, 1 + ((index * 7) % 5)));
      underWay.splice(underWay.indexOf(name), 1);
      return { index, audio: new Uint8Array() };
    };
    const indices: number[] = [];
    for await (const { index } of runParts(() => parts, pool, undefined, send)) indices.push(index);
    return indices;
  }
  const long = [...Array(20).keys()];
  const indices = await Promise.all([run('long', long), run('short', [0]), run('other', [0, 1])]);
  expect(indices).toEqual([long, [0], [0, 1]]);
  expect(started.slice(0, 3)).toEqual(['long', 'short', 'other']);
  expect(most).toEqual({ all: 3, long: 3 });
});

test('a recording that waits for a place hears its signal', async () => {
  const pool = new JobPool(1);
  await pool.take(new AbortController().signal);
  const stop = new AbortController();
  const send = () => Promise.reject(new Error('sent'));
  const parts = runParts(() => [1], pool, stop.signal, send);
  const first = parts.next();
  stop.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
  pool.leave(1);
  expect(await pool.take(new AbortController().signal)).toBe(true);
});

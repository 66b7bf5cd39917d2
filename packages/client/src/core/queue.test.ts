import { expect, test } from 'vitest';
import { Queue } from './queue.ts';

const never = new AbortController().signal;
const announcing = (limit: number) => new Headers({ 'ratelimit-limit-concurrency': String(limit) });
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('lets as many in as the limit says, in the order of arrival', async () => {
  const queue = new Queue(2);
  const order: number[] = [];
  const exits: (() => void)[] = [];
  const enter = async (number: number) => {
    const leave = await queue.enter(never);
    order.push(number);
    exits.push(leave);
  };
  const all = [1, 2, 3, 4].map(enter);
  await Promise.all(all.slice(0, 2));
  expect(order).toEqual([1, 2]);
  exits[0]?.();
  exits[0]?.();
  await all[2];
  expect(order).toEqual([1, 2, 3]);
  exits[1]?.();
  await all[3];
  expect(order).toEqual([1, 2, 3, 4]);
});

async function fill(queue: Queue, calls: number) {
  const exits: (() => void)[] = [];
  for (let call = 0; call < calls; call += 1) {
    void Promise.resolve(queue.enter(never)).then((leave) => exits.push(leave));
  }
  await settled();
  return exits;
}

test('an announced limit is kept, never above the own one', async () => {
  const free = new Queue(Number.POSITIVE_INFINITY);
  const exits = await fill(free, 8);
  expect(exits).toHaveLength(8);
  free.learn(200, announcing(5));
  for (const leave of exits.splice(0, 3)) leave();
  const more = await fill(free, 1);
  expect(more).toHaveLength(0);
  free.learn(200, announcing(15));
  await settled();
  expect(more).toHaveLength(1);

  const own = new Queue(2);
  own.learn(200, announcing(50));
  expect(await fill(own, 3)).toHaveLength(2);
});

test('refusals lower the limit to what the service bears, and successes raise it one by one', async () => {
  const queue = new Queue(Number.POSITIVE_INFINITY);
  const exits = await fill(queue, 8);
  // Three of eight are refused: five is what the service bears.
  for (const leave of exits.splice(0, 3)) {
    queue.learn(429, new Headers());
    leave();
  }
  const waiting = await fill(queue, 3);
  expect(waiting).toHaveLength(0);
  for (let success = 0; success < 5; success += 1) queue.learn(200, announcing(Number.NaN));
  await settled();
  expect(waiting).toHaveLength(1);
  for (let success = 0; success < 5; success += 1) queue.learn(200, announcing(Number.NaN));
  await settled();
  expect(waiting).toHaveLength(1);
});

test('even if every call is refused, one at a time is still let in', async () => {
  const queue = new Queue(3);
  for (let time = 0; time < 5; time += 1) queue.learn(429, new Headers());
  const exits = await fill(queue, 2);
  expect(exits).toHaveLength(1);
  exits[0]?.();
  await settled();
  expect(exits).toHaveLength(2);
});

test('a limit of rate does not lower it, and one that was lowered is forgotten after a minute', async () => {
  let now = 0;
  const queue = new Queue(4, true, () => now);
  const exits = await fill(queue, 4);
  queue.learn(429, new Headers({ 'retry-after': '1' }));
  queue.learn(429, new Headers({ 'x-ratelimit-remaining': '0' }));
  exits.pop()?.();
  expect(await fill(queue, 1)).toHaveLength(1);
  now = 1000;
  queue.learn(429, new Headers());
  for (const leave of exits) leave();
  const more = await fill(queue, 3);
  expect(more).toHaveLength(2);
  now = 62_000;
  queue.learn(200, new Headers());
  await settled();
  expect(more).toHaveLength(3);
});

test('told not to adapt, it keeps to the own limit', async () => {
  const queue = new Queue(3, false);
  queue.learn(429, announcing(1));
  expect(await fill(queue, 5)).toHaveLength(3);
});

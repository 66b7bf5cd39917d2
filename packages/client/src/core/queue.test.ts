import { expect, test } from 'vitest';
import { createQueue } from './queue.ts';

const never = new AbortController().signal;

test('lets as many in as the limit says, in the order of arrival', async () => {
  const queue = createQueue(2);
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

test('leaving the line gives the turn to the next', async () => {
  const queue = createQueue(1);
  const leave = await queue.enter(never);
  const controller = new AbortController();
  const second = queue.enter(controller.signal);
  const third = queue.enter(never);
  controller.abort(new Error('no longer wanted'));
  await expect(second).rejects.toThrow('no longer wanted');
  leave();
  await third;
  await expect(queue.enter(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
});

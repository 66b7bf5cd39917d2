import { expect, test } from 'vitest';
import { interleave, median } from './interleave.ts';

test('takes turns, leaves the first round out and gives the median of each', async () => {
  const order: string[] = [];
  const figures = { one: [100, 1, 9, 2], two: [100, 5, 4, 6] };
  const medians = await interleave(
    {
      one: () => {
        order.push('one');
        return figures.one.shift();
      },
      two: async () => {
        order.push('two');
        return figures.two.shift();
      },
    },
    3,
  );
  expect(medians).toEqual({ one: 2, two: 5 });
  expect(order).toEqual(['one', 'two', 'two', 'one', 'one', 'two', 'two', 'one']);
});

test('takes the time of who gives no figure', async () => {
  const { sleeper } = await interleave(
    { sleeper: () => new Promise<undefined>((done) => setTimeout(done, 20)) },
    1,
  );
  expect(sleeper).toBeGreaterThan(15);
});

test('gives the middle of an even number', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

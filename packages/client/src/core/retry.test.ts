import { expect, test } from 'vitest';
import { retryAfterSeconds } from '../api-error.ts';
import { isRetryableStatus, retryDelay } from './retry.ts';

const options = { retries: 3, methods: ['GET'], minimumDelay: 500, maximumDelay: 1500 };
const longest = (retriesDone: number) => retryDelay(options, 'GET', retriesDone, undefined, () => 1);

test('waits double up to the cap, with jitter down to nothing', () => {
  expect([longest(0), longest(1), longest(2)]).toEqual([500, 1000, 1500]);
  expect(retryDelay(options, 'GET', 2, undefined, () => 0)).toBe(0);
  expect(longest(3)).toBeUndefined();
});

test('retry-after is obeyed within the cap; beyond it there is no further try', () => {
  expect(retryDelay(options, 'GET', 0, 1.5)).toBe(1500);
  expect(retryDelay(options, 'GET', 0, 0)).toBe(0);
  expect(retryDelay(options, 'GET', 0, 1.6)).toBeUndefined();
});

test('only statuses that pass with time are tried again', () => {
  const retryable = [400, 401, 402, 403, 404, 408, 413, 415, 422, 429, 500, 502, 503, 504].filter(
    isRetryableStatus,
  );
  expect(retryable).toEqual([408, 429, 500, 502, 503, 504]);
});

test.each([
  ['3', 3],
  [' 1.5 ', 1.5],
  ['Wed, 21 Oct 2015 07:28:10 GMT', 10],
  ['Wed, 21 Oct 2015 07:27:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
])('retry-after of "%s" is %s seconds', (value, seconds) => {
  const now = Date.parse('Wed, 21 Oct 2015 07:28:00 GMT');
  expect(retryAfterSeconds(new Headers({ 'retry-after': value }), now)).toBe(seconds);
});

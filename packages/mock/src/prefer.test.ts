import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { takePreferences } from './prefer.ts';

const requestOf = (url: string, prefer?: string): IncomingMessage =>
  ({ url, headers: prefer === undefined ? {} : { prefer } }) as IncomingMessage;

test.each([
  ['code=404, example=notFound, dynamic=true', { code: '404', example: 'notFound', dynamic: true }],
  ['code=404;dynamic=false', { code: '404', dynamic: false }],
  ['example="one-chunk"', { example: 'one-chunk', dynamic: false }],
  ['respond-async, CODE=500', { code: '500', dynamic: false }],
  ['', { dynamic: false }],
  ['code=, seed=', { dynamic: false }],
])('reads %s', (header, expected) => {
  expect(takePreferences(requestOf('/model', header))).toEqual(expected);
});

test('takes them out of the query, where the spec does not know them', () => {
  const request = requestOf('/model?page_size=2&__code=403&__dynamic=true&code=1');
  expect(takePreferences(request)).toEqual({ code: '403', dynamic: true });
  expect(request.url).toBe('/model?page_size=2&code=1');
  const empty = requestOf('/model?a=1&__code=');
  expect(takePreferences(empty)).toEqual({ dynamic: false });
  expect(empty.url).toBe('/model?a=1');
  const alone = requestOf('/model?__example=a');
  expect(takePreferences(alone)).toEqual({ example: 'a', dynamic: false });
  expect(alone.url).toBe('/model');
});

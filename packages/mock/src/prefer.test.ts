import { expect, test } from 'vitest';
import { takePreferences } from './prefer.ts';

test.each([
  ['code=404, example=notFound, dynamic=true', { code: '404', example: 'notFound' }],
  ['code=404;wait=10', { code: '404' }],
  ['example="one-chunk"', { example: 'one-chunk' }],
  ['respond-async, CODE=500', { code: '500' }],
  ['', {}],
  ['code=, example=', {}],
])('reads %s', (header, expected) => {
  const request = { url: '/model', headers: { prefer: header } };
  expect(takePreferences(request)).toEqual({ url: '/model', preferences: expected });
});

test.each([
  ['/model?page_size=2&__code=403&code=1', '/model?page_size=2&code=1', { code: '403' }],
  ['/model?a=1&__code=', '/model?a=1', {}],
  ['/model?__example=a', '/model', { example: 'a' }],
])('takes them out of the query of %s, where the spec does not know them', (sent, url, preferences) => {
  expect(takePreferences({ url: sent, headers: {} })).toEqual({ url, preferences });
});

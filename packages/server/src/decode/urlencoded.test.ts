import { expect, it } from 'vitest';
import { decodeUrlEncoded } from './urlencoded.ts';

it('keeps the order and repeated names', () => {
  expect(decodeUrlEncoded('tag=a&title=x+y%21&tag=b&empty=')).toEqual([
    { name: 'tag', value: 'a' },
    { name: 'title', value: 'x y!' },
    { name: 'tag', value: 'b' },
    { name: 'empty', value: '' },
  ]);
});

it('decodes nothing as nothing', () => {
  expect(decodeUrlEncoded('')).toEqual([]);
});

it.each(['title=%', 'title=%zz', 'title=%ff', 'title=%e4%b8'])(
  'refuses the broken sequence in %s, naming the field',
  (text) => {
    expect(() => decodeUrlEncoded(`a=1&${text}`)).toThrow('`title`');
  },
);

it('refuses a flood of fields', () => {
  expect(() => decodeUrlEncoded('a=1&'.repeat(2_000))).toThrow('more than 1000 fields');
});

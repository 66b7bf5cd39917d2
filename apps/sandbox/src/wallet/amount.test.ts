import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAmount, writeAmount } from './amount.ts';

it.each([
  ['0', '0.00'],
  ['100.00', '100.00'],
  ['0.1', '0.10'],
  ['12.345678', '12.345678'],
  ['0.000000001', '0.000000001'],
  ['9007199254.740993', '9007199254.740993'],
])('reads %s and writes %s', (given, written) => {
  expect(writeAmount(readAmount(given))).toBe(written);
});

it.each([
  '',
  '.',
  '1.',
  '.5',
  '-1',
  '+1',
  '1e3',
  '1,5',
  ' 1',
  'NaN',
  '0.0000000001',
  '99999999999',
  '9999999999',
])('refuses %j', (given) => {
  expect(() => readAmount(given)).toThrow(RangeError);
});

it('writes every amount so that it reads as the same', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (amount) => {
      expect(readAmount(writeAmount(amount))).toBe(amount);
    }),
  );
});

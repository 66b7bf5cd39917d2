import { expect, test } from 'vitest';
import { compareCredit } from './credit.ts';

test.each([
  ['0', '0.00', 0],
  ['12.3400', '12.34', 0],
  ['0.1', '0.10000000000000000001', -1],
  ['9007199254740993', '9007199254740992', 1],
  ['99999999999999999999.99', '99999999999999999999.98', 1],
  ['-0.5', '0.25', -1],
  ['-0.5', '-0.25', -1],
  ['-0', '0', 0],
  ['+3', '003.0', 0],
  ['10', '9', 1],
] as const)('%s against %s is %s, and the other way round', (left, right, expected) => {
  expect(compareCredit(left, right)).toBe(expected);
  expect(compareCredit(right, left)).toBe(expected === 0 ? 0 : -expected);
});

test('an integer may be compared with', () => {
  expect(compareCredit('0.99', 1n)).toBe(-1);
});

test.each(['', ' ', '1e3', '1,000', '.5', '5.', 'NaN', 'Infinity', '0x10', '1 2'])(
  '"%s" is not a decimal number',
  (value) => {
    expect(() => compareCredit(value, '1')).toThrow(RangeError);
  },
);

import { expect, it } from 'vitest';
import { shapeDifference } from './shape-difference.ts';

it('sees no difference between values of one shape', () => {
  expect(shapeDifference({ a: 1, b: ['x'] }, { a: 2, b: ['y', 'z'] })).toBeUndefined();
  expect(shapeDifference({ a: null, b: [] }, { a: { c: 1 }, b: [{ d: 1 }] })).toBeUndefined();
});

it.each([
  [{ a: 1 }, { a: 1, b: 2 }, '`/b` is there only once'],
  [{ a: 1 }, { a: '1' }, '`/a` is a number here and a string there'],
  [{ a: [{ b: 1 }] }, { a: [{}] }, '`/a/0/b` is there only once'],
  [{ status: 400 }, [{ loc: [] }], 'the body is an object here and an array there'],
  [undefined, {}, 'the body is nothing here and an object there'],
])('tells how %j and %j differ', (one, other, difference) => {
  expect(shapeDifference(one, other)).toBe(difference);
});

import { describe, expect, test } from 'vitest';
import { decodeJson, decodeJsonText, shapeDifference } from './answer.ts';

const problemOf = (text: string) => {
  const decoded = decodeJsonText(text);
  return 'problem' in decoded ? decoded.problem : undefined;
};

describe('strict JSON', () => {
  test('says where it stops, without a word of the body', () => {
    expect(problemOf('{"key":"secret-0123456789"')).toMatch(/^it is not JSON/);
    expect(problemOf('{"key":"secret-0123456789"')).not.toContain('secret');
    expect(problemOf('<html>secret</html>')).toBe('it is not JSON: it begins with "<"');
    expect(problemOf('')).toBe('it is empty');
  });

  test('refuses a byte order mark and bytes that are not UTF-8', () => {
    expect(decodeJson(Buffer.from('\ufeff{}'))).toHaveProperty('problem');
    expect(decodeJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ problem: 'it is not UTF-8' });
  });
});

test('sees no difference between values of one shape', () => {
  expect(shapeDifference({ a: 1, b: ['x'] }, { a: 2, b: ['y', 'z'] })).toBeUndefined();
  expect(shapeDifference({ a: null, b: [] }, { a: { c: 1 }, b: [{ d: 1 }] })).toBeUndefined();
});

test.each([
  [{ a: 1 }, { a: 1, b: 2 }, '`/b` is there only once'],
  [{ a: 1 }, { a: '1' }, '`/a` is a number here and a string there'],
  [{ a: [{ b: 1 }] }, { a: [{}] }, '`/a/0/b` is there only once'],
  [{ status: 400 }, [{ loc: [] }], 'the body is an object here and an array there'],
  [undefined, {}, 'the body is nothing here and an object there'],
])('tells how %j and %j differ', (first, second, difference) => {
  expect(shapeDifference(first, second)).toBe(difference);
});

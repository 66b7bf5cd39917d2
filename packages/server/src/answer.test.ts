import { refusals } from '@speech-api/types';
import { expect, test } from 'vitest';
import { checkInOrder, withoutKey } from './answer.ts';

test('runs the checks in the order of the data, not in the order of the code', async () => {
  const made: string[] = [];
  const ids = refusals.map((entry) => entry.id);
  const checks = Object.fromEntries(ids.toReversed().map((id) => [id, () => void made.push(id)]));
  await checkInOrder(checks, undefined);
  expect(made).toEqual(ids);
});

test('skips a check that is not for the operation', async () => {
  const only = refusals.find((entry) => entry.id === 'credit');
  expect(only?.applies_to).not.toContain('getModel');
  let made = 0;
  const checks = {
    credit: () => {
      made += 1;
    },
  };
  await checkInOrder(checks, 'getModel');
  expect(made).toBe(0);
  await checkInOrder(checks, 'createSpeech');
  expect(made).toBe(1);
});

test('refuses a check that the data has no place for', async () => {
  await expect(checkInOrder({ whim: () => {} }, undefined)).rejects.toThrow('no refusal whim');
});

test.each([
  ['the key a-b/c= twice: a-b/c=', 'the key … twice: …'],
  ['/model/a%2Db%2fc%3D', '/model/…'],
  ['/model/a%2db%2Fc%3d%0Aa-b/c=', '/model/…%0A…'],
  ['/%61%2D%62%2F%63%3D?', '/…?'],
  // The path is not decoded before the key is checked.
  ['/model/a%2Db', '/model/a%2Db'],
  ['/model/%25%2', '/model/%25%2'],
])('shows %s as %s', (text, shown) => {
  expect(withoutKey(text, 'a-b/c=')).toBe(shown);
  expect(withoutKey(text, undefined)).toBe(text);
});

test.each([
  ['abcde', 'the abcde of an ordinary word'],
  ['abcdef', 'the … of an ordinary word'],
])('takes the key %s for one only where it is too long for a placeholder', (key, shown) => {
  expect(withoutKey(`the ${key} of an ordinary word`, key)).toBe(shown);
});

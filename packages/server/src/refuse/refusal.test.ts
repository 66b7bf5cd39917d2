import { refusals } from '@speech-api/types';
import { expect, test } from 'vitest';
import { checkInOrder } from './refusal.ts';

test('makes the checks in the order of the data, whatever order they are written in', async () => {
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

import { complete } from '@speech-api/config/suite';
import { expect, test } from 'vitest';
import { judgeStranger } from '../strangers/found.ts';
import { legitimate } from '../strangers/legitimate.ts';
import { others, quotable } from '../strangers/lies.ts';

/** A lie that the default run does not find, and why. */
const unheard: Readonly<Record<string, string>> = {
  'speakers-swapped': 'whose voice it is can only be heard',
};

/** Sentences that can be quoted, of names that cannot: the default run warns. */
const warned: Readonly<Record<string, string>> = {
  'page-size-zero': 'the names of query parameters are public only',
  'price-id-zero': 'the name of the field stands for another one',
};

const minutes = 60_000;

/** In the suite every tenth, in the complete run all. */
const some = <Stranger>(all: readonly Stranger[]) => all.filter((_, index) => complete || index % 10 === 0);

test.each(some(quotable))(
  '%s is found, as an error where names are stated',
  { timeout: 5 * minutes },
  async (...stranger) => {
    const { errors, warnings } = await judgeStranger(stranger);
    expect(stranger[0] in warned ? warnings : errors).not.toEqual([]);
  },
);

test.each(some(others))('%s is found', { timeout: 5 * minutes }, async (...stranger) => {
  const { errors, warnings } = await judgeStranger(stranger);
  expect(errors.length + warnings.length > 0 || stranger[0] in unheard).toBe(true);
});

test.each(some(legitimate))('%s is accused of no error', { timeout: 5 * minutes }, async (...stranger) => {
  const { errors, uncovered } = await judgeStranger(stranger);
  expect({ errors, uncovered }).toEqual({ errors: [], uncovered: undefined });
});

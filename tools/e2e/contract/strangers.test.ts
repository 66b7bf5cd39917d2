import { complete } from '@speech-api/config/suite';
import { verify } from '@speech-api/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, openBench } from '../mutants/measure.ts';
import { legitimate } from '../strangers/legitimate.ts';
import { others, quotable } from '../strangers/lies.ts';
import type { Strangers } from '../strangers/stranger.ts';
import { sandboxKey } from '../test/testing/use-sandbox.ts';

/** A lie that the default run does not find, and why. */
const unheard: Readonly<Record<string, string>> = {
  'speakers-swapped': 'whose voice it is can only be heard',
};

/** Sentences that can be quoted, of names that cannot: the default run warns. */
const warned: Readonly<Record<string, string>> = {
  'page-size-zero': 'the names of query parameters are public only',
  'price-id-zero': 'the name of the field stands for another one',
};

const timeout = 300_000;

/** In the suite every tenth, in the complete run all. */
const some = (all: Strangers) => Object.entries(all).filter((_, index) => complete || index % 10 === 0);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** The rules that the default run names, as errors and as warnings. */
async function judged([, behave]: Strangers[string]) {
  await bench.reset();
  bench.proxy.interfere({ concerns: () => true, ...(typeof behave === 'function' ? behave() : behave) });
  const limits = { idleMs: 30_000, totalMs: 120_000 };
  const { findings } = await verify({ target: bench.proxy.url, key: sandboxKey, limits });
  const rulesOf = (severity: string) =>
    findings.filter((each) => each.severity === severity).map(({ rule }) => rule);
  return { errors: rulesOf('error'), warnings: rulesOf('warning') };
}

test.each(some(quotable))(
  '%s is found, as an error where names are stated',
  { timeout },
  async (id, stranger) => {
    const { errors, warnings } = await judged(stranger);
    expect(id in warned ? warnings : errors).not.toEqual([]);
  },
);

test.each(some(others))('%s is found', { timeout }, async (id, stranger) => {
  const { errors, warnings } = await judged(stranger);
  expect(errors.length + warnings.length > 0 || id in unheard).toBe(true);
});

test.each(some(legitimate))('%s is accused of no error', { timeout }, async (_id, stranger) => {
  expect((await judged(stranger)).errors).toEqual([]);
});

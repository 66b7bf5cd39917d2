import { complete } from '@speech-api/config/suite';
import { verify } from '@speech-api/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, openBench } from '../mutants/measure.ts';
import { legitimate } from '../strangers/legitimate.ts';
import { others, quotable } from '../strangers/lies.ts';
import type { Strangers } from '../strangers/stranger.ts';
import { sandboxKey } from '../test/testing/use-sandbox.ts';

const timeout = 300_000;

/** In the suite every tenth, in the complete run all. */
const some = (all: Strangers) => Object.entries(all).filter((_, index) => complete || index % 10 === 0);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

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
  async (_id, stranger) => {
    expect((await judged(stranger)).errors).not.toEqual([]);
  },
);

test.each(some(others))('%s is found', { timeout }, async (_id, stranger) => {
  const { errors, warnings } = await judged(stranger);
  expect([...errors, ...warnings]).not.toEqual([]);
});

test.each(some(legitimate))('%s is accused of no error', { timeout }, async (_id, stranger) => {
  expect((await judged(stranger)).errors).toEqual([]);
});

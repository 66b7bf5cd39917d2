import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from './catalogue/index.ts';
import { measure } from './measure.ts';
import { type Kind, kinds, type Mutant } from './mutant.ts';
import { outcomeOf } from './score.ts';
import { type OpenBench, openBench, sandboxKey } from './testing.ts';

let bench: OpenBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const mutants = catalogue(sandboxKey);

/** The one in the middle: of a kind with several operations, not always the first of them. */
function oneOf(kind: Kind): Mutant {
  const ofKind = mutants.filter((mutant) => mutant.kind === kind);
  const one = ofKind[ofKind.length >> 1];
  if (one === undefined) throw new Error(`there is no mutant of the kind ${kind}`);
  return one;
}

test.each(kinds.map(oneOf))('notices $id', { timeout: 120_000 }, async (mutant) => {
  const [verdict] = await measure([mutant], bench);
  expect(verdict && { outcome: outcomeOf(verdict), rules: verdict.rules }).toMatchObject({
    outcome: 'caught',
  });
});

import { verify } from '@speech-api/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patient } from '../test/judge/patient.ts';
import { catalogue } from './catalogue/index.ts';
import { defaultRunOf, judgedMutants, measureDefaultRun, readDefaultRun } from './default-run.ts';
import { measure, type Verdict } from './measure.ts';
import { scenariosOf } from './scenarios.ts';
import { outcomeOf, scoreOf } from './score.ts';
import { tableFile, writeTable } from './table.ts';
import { type OpenBench, openBench, sandboxKey } from './testing.ts';

const mutants = catalogue(sandboxKey);

let bench: OpenBench;
let verdicts: Verdict[] = [];
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** Bounded by what a slow machine needs, not by what this takes. */
const timeout = 1_800_000;

test('names nothing on the unbroken server, in all that the mutants are looked at with', {
  timeout,
}, async () => {
  const only = [...new Set(mutants.flatMap((mutant) => scenariosOf(mutant, bench.scenarios)))];
  bench.proxy.interfere();
  const report = await verify({
    target: bench.proxy.url,
    key: sandboxKey,
    only,
    budget: { calls: 10_000, characters: 1_000_000, audioSeconds: 10_000 },
    deterministic: true,
    concurrency: 1,
    ...patient,
  });
  expect(report.findings.filter(({ severity }) => severity !== 'drift')).toEqual([]);
  expect(report.run.leftOut.filter(({ scenario }) => only.includes(scenario))).toEqual([]);
  expect(bench.proxy.changes()).toBe(0);
});

test('breaks something by every mutant', { timeout }, async () => {
  verdicts = await measure(mutants, bench);
  const idle = verdicts.filter((verdict) => ['failed', 'not applied'].includes(outcomeOf(verdict)));
  expect(idle.map(({ mutant, failures }) => [mutant.id, ...failures])).toEqual([]);
});

test('catches at least 95 of 100 mutants, each by the right rule', () => {
  const score = scoreOf(verdicts);
  process.stdout.write(`${score.caught} of ${score.total} mutants caught\n`);
  for (const { id, outcome, rules } of score.uncaught) {
    process.stdout.write(`${outcome}: ${id}${rules.length > 0 ? `, named ${rules.join(', ')}` : ''}\n`);
  }
  expect(score.total).toBeGreaterThanOrEqual(150);
  expect(score.caught / score.total).toBeGreaterThanOrEqual(0.95);
  expect(score.uncaught.filter(({ outcome }) => outcome === 'wrong rule')).toEqual([]);
});

test('has the published table as it was measured', async () => {
  // Stale? `pnpm --filter @speech-api/e2e mutants` writes it again.
  await expect(writeTable(scoreOf(verdicts), readDefaultRun())).toMatchFileSnapshot(tableFile);
});

test('notices in its default run what is published, in a sample of the mutants', { timeout }, async () => {
  const sample = judgedMutants().filter((_mutant, index) => index % 40 === 0);
  const { survived, notReached, warned } = defaultRunOf(await measureDefaultRun(sample), sample);
  const published = readDefaultRun();
  const among = (ids: readonly string[]) => ids.filter((id) => sample.some((mutant) => mutant.id === id));
  // Stale? `node mutants/default-run.ts` measures all of them again, then `pnpm run mutants` writes the table.
  expect({ survived, notReached, warned }).toEqual({
    survived: among(published.survived),
    notReached: among(published.notReached),
    warned: among(published.warned),
  });
});

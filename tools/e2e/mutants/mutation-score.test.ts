import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { complete } from '@speech-api/config/suite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue as all } from './catalogue/index.ts';
import {
  type Bench,
  look,
  measure,
  openBench,
  scenariosOfAll,
  uncaught,
  type Verdict,
  writeScore,
} from './measure.ts';
import { serviceRules } from './specification.ts';

const scoreFile = fileURLToPath(new URL('../../../packages/contract/MUTATIONS.md', import.meta.url));

/** Rules of answers that no mutant breaks here, and why. */
const unbroken: Readonly<Record<string, string>> = {
  'operation-answered': 'speaks about a run in which nothing of an operation succeeds',
  'audio-is-repeatable': 'is broken by any break of audio that begins with the second call',
  'wallet-is-the-one-asked-for':
    'speaks about a wallet that is asked for by an id, and the judge asks for its own as `self`',
  'answers-repeat': 'is broken by any break that begins with the second call',
};

/** One mutant for each rule of the judge; in the complete run all of them. */
const mutants = complete
  ? all
  : [...new Set(serviceRules.flatMap((rule) => all.find(({ rules }) => rules[0] === rule) ?? []))];

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** Bounded by what a slow machine needs, not by what this takes. */
const timeout = 3_600_000;

test('each rule about answers is broken by a mutant that has a name of its own', () => {
  const broken = new Set(all.flatMap(({ rules }) => rules));
  expect(serviceRules.filter((rule) => !broken.has(rule) && !(rule in unbroken))).toEqual([]);
  expect([...broken].filter((rule) => !serviceRules.includes(rule))).toEqual([]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('names nothing on the unbroken server, in all that the mutants are looked at with', {
  timeout,
}, async () => {
  const only = scenariosOfAll(mutants);
  const { findings, run } = await look(bench.proxy, only);
  expect(findings.filter(({ severity }) => severity !== 'drift')).toEqual([]);
  expect(run.leftOut.filter(({ scenario }) => only.includes(scenario))).toEqual([]);
  expect(bench.proxy.changes()).toBe(0);
});

test('catches every mutant by a rule that it breaks', { timeout }, async () => {
  const verdicts: Verdict[] = [];
  for (const mutant of mutants) verdicts.push(await measure(mutant, bench));
  if (complete) writeFileSync(scoreFile, writeScore(verdicts));
  expect(uncaught(verdicts)).toEqual([]);
});

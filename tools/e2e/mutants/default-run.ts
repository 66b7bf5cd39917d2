// What the default run of the judge notices of the mutants: node mutants/default-run.ts [every Nth mutant, 1 unless given]
import { writeFileSync } from 'node:fs';
import { operationsOf, planFor, scenariosFor } from '@speech-api/contract';
import { catalogue } from './catalogue/index.ts';
import { measure } from './measure.ts';
import { kinds, type Mutant } from './mutant.ts';
import { outcomeOf } from './score.ts';
import { openBench, sandboxKey } from './testing.ts';

const step = Number(process.argv[2] ?? 1);
const chosen = planFor({}).chosen.map(({ name }) => name);
const played = scenariosFor(1).filter(({ name }) => chosen.includes(name));
// A mutant breaks calls of one operation: the scenarios of the default run without one show nothing of it.
const only = ({ operation }: Mutant): string[] =>
  played.filter((scenario) => operationsOf(scenario).includes(operation)).map(({ name }) => name);

const bench = await openBench();
const all = catalogue(sandboxKey).filter(({ kind }) => kind !== 'addition');
const sample = all.filter((_mutant, index) => index % step === 0);
const verdicts = await measure(sample, { ...bench, only });
await bench.close();

const share = (count: number, total: number) => `${count} of ${total}`;
const rows = kinds.flatMap((kind) => {
  const own = verdicts.filter(({ mutant }) => mutant.kind === kind);
  const noticed = own.filter((verdict) => ['caught', 'wrong rule'].includes(outcomeOf(verdict)));
  const errors = noticed.filter(({ isError }) => isError);
  return own.length === 0
    ? []
    : [[kind, { caught: noticed.length, errors: errors.length, total: own.length }] as const];
});
const sum = (name: 'caught' | 'errors' | 'total') => rows.reduce((count, [, row]) => count + row[name], 0);
const result = {
  run: 'default',
  mutants: step === 1 ? 'all' : `every ${step}th of ${all.length}`,
  caught: share(sum('caught'), sum('total')),
  asErrors: share(sum('errors'), sum('total')),
  byKind: Object.fromEntries(rows),
  survived: verdicts
    .filter((verdict) => !['caught', 'wrong rule'].includes(outcomeOf(verdict)))
    .map(({ mutant }) => mutant.id),
};
writeFileSync(new URL('./default-run.json', import.meta.url), `${JSON.stringify(result, undefined, 2)}\n`);
console.log(result.mutants, result.caught, result.asErrors);

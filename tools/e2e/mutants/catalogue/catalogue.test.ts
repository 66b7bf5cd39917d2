import { scenariosFor } from '@speech-api/contract';
import { expect, test } from 'vitest';
import { judgedMutants, readDefaultRun } from '../default-run.ts';
import { equivalents } from '../equivalents.ts';
import { kinds } from '../mutant.ts';
import { scenariosOf } from '../scenarios.ts';
import { countByKind } from '../score.ts';
import { operations, ruleIds } from '../specification.ts';
import { readTable, tableCommand } from '../table.ts';
import { catalogue } from './index.ts';

const mutants = catalogue('key');

test('has more than 150 mutants, each with a name of its own', () => {
  expect(mutants.length).toBeGreaterThan(150);
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
});

test('breaks every operation, in every kind', () => {
  expect(new Set(mutants.map(({ operation }) => operation))).toEqual(
    new Set(operations.map(({ operationId }) => operationId)),
  );
  expect(new Set(mutants.map(({ kind }) => kind))).toEqual(new Set(kinds));
});

test('expects rules that there are, and scenarios that there are', () => {
  const scenarios = scenariosFor(1);
  for (const mutant of mutants) {
    expect(
      mutant.rules.filter((rule) => !ruleIds.has(rule)),
      mutant.id,
    ).toEqual([]);
    expect(scenariosOf(mutant, scenarios).length, mutant.id).toBeGreaterThan(0);
  }
});

test('has no mutant that is listed as equivalent', () => {
  const ids = new Set(mutants.map(({ id }) => id));
  expect(equivalents().filter(({ change }) => ids.has(change))).toEqual([]);
});

test('has as many mutants of each kind as the published table says', () => {
  const table = readTable();
  const said = [...countByKind(mutants)].filter(
    ([kind, count]) => !new RegExp(`^\\| ${kind} \\| ${count} \\| \\d+ \\|`, 'm').test(table),
  );
  expect(said, `The table of the mutation score is stale: ${tableCommand}`).toEqual([]);
});

test('has a measured default run of exactly the mutants that there are; if not, run `node mutants/default-run.ts`', () => {
  const { total, survived, notReached, warned } = readDefaultRun();
  const ids = new Set(judgedMutants().map(({ id }) => id));
  expect(total).toBe(ids.size);
  expect([...survived, ...notReached, ...warned].filter((id) => !ids.has(id))).toEqual([]);
});

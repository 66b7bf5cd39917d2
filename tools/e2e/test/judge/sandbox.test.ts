import { planFor, scenariosFor, type VerifyReport, verify } from '@speech-api/contract';
import { operationTable } from '@speech-api/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxKey, useOwnSandbox } from '../testing/use-sandbox.ts';
import { inWords } from './in-words.ts';
import { patient } from './patient.ts';
import { stepsOf } from './steps-of.ts';

// The judge and the sandbox know nothing of each other but the specification: where they disagree, one of them is wrong.

const sandbox = useOwnSandbox();

describe('the judge, with what it does unless told otherwise, on the sandbox', () => {
  let report: VerifyReport;
  beforeAll(async () => {
    report = await verify({ target: sandbox.url, key: sandboxKey, deterministic: true, ...patient });
  }, 900_000);

  test('finds nothing', () => {
    expect(report.findings.map(inWords)).toEqual([]);
  });

  test('sees every operation; a second encoding is left to the thorough run', () => {
    const { uncovered } = report.coverage;
    expect(uncovered.filter(({ what }) => what !== 'request-media-type')).toEqual([]);
    expect(uncovered.filter(({ reason }) => reason !== 'it did not fit --max-calls 75')).toEqual([]);
    const operations = new Set(report.coverage.cells.map(({ operationId }) => operationId));
    expect([...operations].sort()).toEqual(Object.keys(operationTable).sort());
  });

  test('sends no more than 75 calls, and every one that it planned', () => {
    expect(report.run.spent.calls).toBeLessThanOrEqual(75);
    expect(report.exchanges).toHaveLength(report.run.spent.calls);
    expect(report.run.skipped).toEqual([]);
    expect(report.exchanges.slice(1).map(({ name }) => name)).toEqual(stepsOf(planFor({})));
  });

  test('tells every scenario that it left out, with the reason', () => {
    const begun = new Set(report.exchanges.map(({ name }) => name));
    const untold = scenariosFor(report.run.seed)
      .filter(({ steps }) => !steps.some(({ name }) => begun.has(name)))
      .filter(
        ({ name }) => !report.run.leftOut.some(({ scenario, reason }) => scenario === name && reason !== ''),
      );
    expect(untold.map(({ name }) => name)).toEqual([]);
  });

  test('leaves nothing behind', async () => {
    expect(report.run.leftBehind).toEqual([]);
    const { items } = await sandbox.client().models.list({ self: true });
    expect(items.map(({ title }) => title).filter((title) => title.startsWith('speech-contract'))).toEqual(
      [],
    );
  });
});

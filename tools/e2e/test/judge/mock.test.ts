import { planFor, type VerifyReport, verify } from '@speech-api/contract';
import { startMock } from '@speech-api/mock';
import { operationTable } from '@speech-api/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inWords } from './in-words.ts';
import { patient } from './patient.ts';
import { stepsOf } from './steps-of.ts';

const profile = 'stateless';

describe('the judge, with the profile for servers without state, on the mock', () => {
  let mock: Awaited<ReturnType<typeof startMock>> | undefined;
  let report: VerifyReport;
  beforeAll(async () => {
    mock = await startMock();
    report = await verify({
      target: mock.url,
      key: 'a-key-of-the-mock',
      profile,
      deterministic: true,
      ...patient,
    });
  }, 900_000);
  afterAll(() => mock?.close());

  test('finds nothing', () => {
    expect(report.findings.map(inWords)).toEqual([]);
  });

  test('sees every operation and every media type of an answer; a second encoding is left to the thorough run', () => {
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
    expect(report.exchanges.slice(1).map(({ name }) => name)).toEqual(stepsOf(planFor({ profile })));
  });
});

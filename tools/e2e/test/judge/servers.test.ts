import { planFor, scenariosFor, type VerifyReport, verify } from '@speech-api/contract';
import { startMock } from '@speech-api/mock';
import { startSandbox } from '@speech-api/sandbox';
import { operationTable } from '@speech-api/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxKey } from '../testing/use-sandbox.ts';
import { inWords, patient } from './run-judge.ts';

// The judge and the servers know nothing of each other but the specification: where they disagree, one of them is wrong.

describe.each([
  { name: 'sandbox', start: () => startSandbox({ port: 0 }), profile: 'full' },
  { name: 'mock', start: () => startMock(), profile: 'stateless' },
] as const)('the judge, with what it does unless told otherwise, on the $name', ({ start, profile }) => {
  let server: Awaited<ReturnType<typeof start>> | undefined;
  let report: VerifyReport;
  beforeAll(async () => {
    server = await start();
    const options = { target: server.url, key: sandboxKey, profile, deterministic: true };
    report = await verify({ ...options, ...patient });
  }, 900_000);
  afterAll(() => server?.close());

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

  test('sends no more than 75 calls, and every one that it planned after the first', () => {
    const planned = planFor({ profile }).chosen.flatMap(({ steps }) => steps.map(({ name }) => name));
    expect(report.run.spent.calls).toBeLessThanOrEqual(75);
    expect(report.exchanges).toHaveLength(report.run.spent.calls);
    expect(report.run.skipped).toEqual([]);
    expect(report.exchanges.slice(1).map(({ name }) => name)).toEqual(planned);
  });

  test('tells every scenario that it left out, with the reason', () => {
    const begun = new Set(report.exchanges.map(({ name }) => name));
    const told = new Set(report.run.leftOut.flatMap(({ scenario, reason }) => (reason ? [scenario] : [])));
    const untold = scenariosFor(report.run.seed)
      .filter(({ steps }) => !steps.some(({ name }) => begun.has(name)))
      .filter(({ name }) => !told.has(name));
    expect(untold.map(({ name }) => name)).toEqual([]);
  });

  test('leaves nothing behind', async () => {
    expect(report.run.leftBehind).toEqual([]);
    const headers = { authorization: `Bearer ${sandboxKey}` };
    const answer = await fetch(`${server?.url}/model?self=true&page_size=100`, { headers });
    const { items } = (await answer.json()) as { items: { title: string }[] };
    expect(items.filter(({ title }) => title.startsWith('speech-contract'))).toEqual([]);
  });
});

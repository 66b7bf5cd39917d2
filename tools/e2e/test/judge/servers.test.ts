import { planFor, type VerifyReport, verify } from '@speech-api/contract';
import { startMock } from '@speech-api/mock';
import { startSandbox } from '@speech-api/sandbox';
import { operationTable } from '@speech-api/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxKey } from '../testing/use-sandbox.ts';
import { inWords, patient } from './report-words.ts';

// The judge and the servers know nothing of each other but the specification: where they disagree, one of them is wrong.

describe.each([
  { name: 'sandbox', start: () => startSandbox({ port: 0 }), profile: 'full' },
  { name: 'mock', start: () => startMock(), profile: 'stateless' },
] as const)('the judge, with what it does unless told otherwise, on the $name', ({ start, profile }) => {
  let server: Awaited<ReturnType<typeof start>> | undefined;
  let report: VerifyReport;
  const options = { profile };
  beforeAll(async () => {
    server = await start();
    report = await verify({
      target: server.url,
      key: sandboxKey,
      ...options,
      deterministic: true,
      ...patient,
    });
  }, 900_000);
  afterAll(() => server?.close());

  test('finds nothing', () => {
    expect(report.findings.map(inWords)).toEqual([]);
  });

  test('sees every operation and every media type of requests and answers', () => {
    expect(report.coverage.uncovered).toEqual([]);
    const operations = new Set(report.coverage.cells.map(({ operationId }) => operationId));
    expect([...operations].sort()).toEqual(Object.keys(operationTable).sort());
  });

  test('costs what it says, and plays what it planned, in its order', () => {
    const { chosen, cost } = planFor(options);
    expect(report.run.spent.calls).toBeLessThanOrEqual(cost.calls);
    expect(report.run.skipped).toEqual([]);
    const planned = chosen.flatMap(({ steps }) => steps.map(({ name }) => name));
    expect(report.exchanges.slice(1).map(({ name }) => name)).toEqual(planned);
  });

  test('leaves nothing behind', async () => {
    expect(report.run.leftBehind).toEqual([]);
    const headers = { authorization: `Bearer ${sandboxKey}` };
    const answer = await fetch(`${server?.url}/model?self=true&page_size=100`, { headers });
    const { items } = (await answer.json()) as { items: { title: string }[] };
    expect(items.filter(({ title }) => title.startsWith('speech-contract'))).toEqual([]);
  });
});

import { type SettleReport, settle } from '@speech-api/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Interference } from '../../mutants/carried.ts';
import { onStatus, refused, status } from '../../mutants/change.ts';
import { type RunningProxy, startProxy } from '../../mutants/start-proxy.ts';
import { sandboxKey, useOwnSandbox } from '../testing/use-sandbox.ts';
import { patient, runJudge } from './run-judge.ts';

const sandbox = useOwnSandbox();
const idleMs = patient.limits?.idleMs ?? 0;

test('every guess that a client can test holds on the sandbox, and none is left unanswered', {
  timeout: 900_000,
}, async () => {
  const options = { target: sandbox.url, key: sandboxKey, allowChanges: true, limits: { idleMs } };
  const report = await settle(options);
  const told = report.guesses.filter(({ verdict }) => verdict === 'does not hold' || verdict === 'not shown');
  expect(told).toEqual([]);
  expect(report.guesses.filter(({ verdict }) => verdict === 'holds').length).toBeGreaterThan(60);
  expect(report.leftBehind).toEqual([]);
  expect(JSON.stringify(report)).not.toContain(sandboxKey);
});

describe('on a server that answers otherwise', () => {
  let proxy: RunningProxy;
  beforeAll(async () => {
    proxy = await startProxy(sandbox.url);
  });
  afterAll(() => proxy.close());

  /** Deviations of a server, and what the report must name. */
  const others: readonly {
    readonly id: string;
    readonly change: Omit<Interference, 'concerns'>;
    readonly found: RegExp;
    readonly places: readonly object[];
  }[] = [
    {
      id: 'empty-text',
      change: { answer: onStatus(400, status(422)) },
      found: /422/,
      places: [
        { file: 'unknowns.yaml', key: 'empty-text' },
        { file: 'rules/synthesis.yaml', key: 'text-not-empty' },
      ],
    },
    {
      id: 'unknown-models',
      change: { answer: refused(400) },
      found: /400/,
      places: [{ file: 'schemas/SynthesisModel.yaml', key: '/anyOf/1' }],
    },
    {
      id: 'unknown-query-parameters',
      change: { request: (request) => ({ ...request, target: request.target.replace(/\?.*/, '') }) },
      found: /although no operation names/,
      places: [{ file: 'paths/api-credit/getApiCredit.yaml', key: '/x-query' }],
    },
    {
      id: 'update-model-nulls',
      change: {
        request: (request) => ({
          ...request,
          body: Buffer.from(String(request.body).replace('null', '"empty"')),
        }),
      },
      found: /title/,
      places: [{ file: 'schemas/UpdateModelRequest.yaml', key: '/x-semantics/nulls' }],
    },
  ];

  test.each(others)(
    '$id is reported with what it does and what to edit',
    async ({ id, change, found, places }) => {
      const isOfRequest = change.request !== undefined;
      proxy.interfere({
        ...change,
        concerns: (method, path) =>
          id === 'update-model-nulls'
            ? method === 'PATCH'
            : path !== '/model' && (isOfRequest || method === 'POST'),
      });
      const options = { target: proxy.url, key: sandboxKey, allowChanges: true, limits: { idleMs } };
      const { guesses } = await settle({ ...options, only: [id] });
      expect(guesses).toMatchObject([{ id, verdict: 'does not hold' }]);
      expect(guesses[0]?.found.map(({ message, actual = '' }) => `${message} ${actual}`).join('\n')).toMatch(
        found,
      );
      expect(guesses[0]?.change).toEqual(expect.arrayContaining([...places]));
    },
  );

  test('the command exits with 1 and names the file to edit, and shows no key', async () => {
    proxy.interfere({ concerns: (method) => method === 'POST', answer: refused(400) });
    const { code, out } = await runJudge('settle', proxy.url, ['--only', 'unknown-models'], sandboxKey);
    expect(code).toBe(1);
    expect(out).toContain('change spec/schemas/SynthesisModel.yaml, /anyOf/1');
    expect(out).not.toContain(sandboxKey);
  });
});

describe('the command', () => {
  test('exits with 0 where the guess holds, says beforehand what it costs, and writes JSON', async () => {
    const words = ['--only', 'empty-text', '--json'];
    const { code, out, error } = await runJudge('settle', sandbox.url, words, sandboxKey);
    expect(error).toContain('Playing 1 of 1 guesses, with 2 calls');
    expect((JSON.parse(out) as SettleReport).guesses).toMatchObject([{ id: 'empty-text', verdict: 'holds' }]);
    expect(code).toBe(0);
  });

  test('exits with 2 for a wrong key, an unknown entry, and an entry that only a person can settle', async () => {
    const wrongKey = await runJudge('settle', sandbox.url, ['--only', 'empty-text'], 'no-such-key');
    expect(wrongKey).toMatchObject({ code: 2, error: expect.stringContaining('does not accept the key') });
    const unknown = await runJudge('settle', sandbox.url, ['--only', 'empty-txt'], sandboxKey);
    expect(unknown).toMatchObject({ code: 2, error: expect.stringContaining('empty-text') });
    const byHand = await runJudge('settle', sandbox.url, ['--only', 'key-scopes'], sandboxKey);
    expect(byHand).toMatchObject({ code: 2, out: expect.stringContaining('Ask the owner') });
  });

  test('sends nothing in a dry run, for which it needs no key', async () => {
    const { code, out } = await runJudge('settle', 'http://127.0.0.1:9', ['--dry-run'], '');
    expect(code).toBe(0);
    expect(out).toMatch(/Nothing is sent.*empty-text: rule-text-not-empty.*calls, .* at most/s);
  });
});

import { type VerifyOptions, verify } from '@speech-api/contract';
import { startMock } from '@speech-api/mock';
import { startSandbox } from '@speech-api/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { inWords, patient } from '../test/judge/run-judge.ts';
import { sandboxKey } from '../test/testing/use-sandbox.ts';

// The whole set of scenarios with several seeds: `npm test` has the short run alone.

const timeout = 600_000;
const whole: Pick<VerifyOptions, 'budget' | 'deterministic' | 'limits' | 'decodeDeadlineMs' | 'concurrency'> =
  {
    budget: { calls: 420, characters: 20_000, audioSeconds: 300 },
    deterministic: true,
    ...patient,
  };

test('the judge finds nothing on the sandbox with every scenario there is', { timeout }, async () => {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const report = await verify({ target: sandbox.url, key: sandboxKey, seed: 20, ...whole });
  expect(report.findings.map(inWords)).toEqual([]);
  // Each operation, each media type of its requests and each of its answers; the short run leaves some to this one.
  expect(report.coverage.uncovered).toEqual([]);
  const unaffordable = ['rule-text-length', 'transcription-longest'];
  expect(report.run.leftOut.map(({ scenario }) => scenario)).toEqual(unaffordable);
  expect(report.run).toMatchObject({ skipped: [], leftBehind: [] });
});

test('nor on the mock, as far as it is without state', { timeout }, async () => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const report = await verify({
    target: mock.url,
    key: 'a-key',
    profile: 'stateless',
    seed: 21,
    ...whole,
  });
  expect(report.findings.map(inWords)).toEqual([]);
  expect(report.run.skipped).toEqual([]);
  expect(report.coverage.uncovered).toEqual([]);
});

test('the longest text and the longest recording are probed where they may be sent', {
  timeout,
}, async () => {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const report = await verify({
    target: sandbox.url,
    key: sandboxKey,
    ...whole,
    budget: { characters: 200_000, audioSeconds: 10_000 },
    only: ['rule-text-length', 'transcription-longest'],
  });
  expect(report.findings.map(inWords)).toEqual([]);
  expect(report.exchanges.map(({ name, status }) => [name, status]).sort()).toEqual([
    ['createSpeech, breaking text-length', 400],
    ['createTranscription, audio that is too long', 400],
    ['createTranscription, the longest audio', 200],
    ['listModels, the first call', 200],
  ]);
});

import { startSandbox } from '@speech-api/sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxKey } from '../testing/use-sandbox.ts';
import { runJudge } from './run-judge.ts';

test('verify ends with 1 where the contract is not kept, and says how to see it again', async () => {
  // A fault rule makes it answer wrongly in one place, and nowhere else.
  const sandbox = await startSandbox({ port: 0, faults: ['GET /wallet/self/package status=500'] });
  onTestFinished(() => sandbox.close());
  const words = ['--only', 'wallet-own', '--timeout', '120', '--deterministic'];
  const { code, out } = await runJudge('verify', sandbox.url, words, sandboxKey);
  expect(code).toBe(1);
  expect(out).toContain('getPackage');
  expect(out).toMatch(/curl .*\/wallet\/self\/package.*\$SPEECH_API_KEY/);
  expect(out).not.toContain(sandboxKey);
});

import { startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxKey } from '../testing/use-sandbox.ts';
import { runJudge } from './run-judge.ts';

// A fault rule makes it answer wrongly in one place, and nowhere else.
const faults = ['GET /wallet/self/package status=500'];
let sandbox: Awaited<ReturnType<typeof startSandbox>> | undefined;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, faults });
});
afterAll(() => sandbox?.close());

/** Judges the sandbox as a user does. */
const run = (words: readonly string[], key: string) => runJudge('verify', sandbox?.url ?? '', words, key);

const calm = ['--timeout', '120', '--deterministic'];

test('ends with 0 where the contract is kept, and the report is JSON when that is asked for', async () => {
  const { code, out, error } = await run(['--only', 'address-*', '--json', ...calm], sandboxKey);
  expect(error).toMatch(/Sent 3 calls/);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ findings: [] });
});

test('ends with 1 where it is not, and says how to see it again', async () => {
  const { code, out } = await run(['--only', 'wallet-own', ...calm], sandboxKey);
  expect(code).toBe(1);
  expect(out).toContain('getPackage');
  expect(out).toMatch(/curl .*\/wallet\/self\/package.*\$SPEECH_API_KEY/);
  expect(out).not.toContain(sandboxKey);
});

test('ends with 2 where nothing can be judged, and says what to do', async () => {
  const { code, error } = await run(calm, 'no-such-key');
  expect(code).toBe(2);
  expect(error).toMatch(/does not accept the key in SPEECH_API_KEY/);
  expect(error).not.toContain('no-such-key');
});

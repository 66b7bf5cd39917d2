import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runsTypeScript } from './testing/serve.ts';
import { whatIsTooOld } from './tool.ts';

const program = fileURLToPath(new URL('./bin.ts', import.meta.url));
const transcript = fileURLToPath(new URL('../../../spec/transcripts/one-chunk.jsonl', import.meta.url));

test('ends by itself once audio is decoded, with its report on standard output', () => {
  const { status, stdout, stderr, signal } = spawnSync(
    process.execPath,
    [...runsTypeScript, program, 'check', transcript],
    {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, GITHUB_ACTIONS: '' },
    },
  );
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' });
  expect(stdout).toContain('The contract is kept');
});

test.each([
  ['20.20.2', '>=22.12.0', true],
  ['22.11.9', '>=22.12.0', true],
  ['22.12.0', '>=22.12.0', false],
  ['26.0.0', '>=22.12.0', false],
])('Node %s with %s is too old: %s', (version, range, isTooOld) => {
  const told = whatIsTooOld(version, range);
  expect(told === undefined).toBe(!isTooOld);
  if (isTooOld) expect(told).toBe(`Node ${version} is too old; use 22.12.0 or newer. Nothing was sent.`);
});

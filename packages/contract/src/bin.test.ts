import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runsTypeScript } from './testing/serve.ts';

const program = fileURLToPath(new URL('./bin.ts', import.meta.url));
const transcript = fileURLToPath(new URL('../../../spec/transcripts/one-chunk.jsonl', import.meta.url));

test('ends by itself once audio is decoded, with its report on standard output', () => {
  const { status, stdout, stderr, signal } = spawnSync(
    process.execPath,
    [...runsTypeScript, program, 'check', transcript],
    {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '' },
    },
  );
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' });
  expect(stdout).toContain('The contract is kept');
});

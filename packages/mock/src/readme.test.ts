import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const run = promisify(execFile);

// The sample for vitest is run by tools/e2e/consumers, as an application that has installed the package.

test('has a TypeScript sample that runs and sees its own call', async () => {
  const [, sample = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const options = ['--input-type=module-typescript', '--eval', sample];
  const { stdout } = await run(process.execPath, options, { cwd: folder });
  expect(stdout).toMatch(/^200 \d{4,}\ncreateSpeech opus true\n$/);
});

test('has a sample without a port that fails once and then speaks', async () => {
  const [, sample = ''] = /```ts fetch\n(.*?)```/s.exec(readme) ?? [];
  const options = ['--input-type=module-typescript', '--eval', sample];
  const { stdout } = await run(process.execPath, options, { cwd: folder });
  expect(stdout).toBe('1 503\n2 200\n2\n');
});

test('has a sample for node:test that passes', async () => {
  const [, sample = ''] = /```ts node-test\n(.*?)```/s.exec(readme) ?? [];
  const options = ['--input-type=module-typescript', '--eval', sample];
  const { stdout } = await run(process.execPath, ['--test-reporter=tap', ...options], { cwd: folder });
  expect(stdout).toContain('ok 1 - asks for opus');
  expect(stdout).toContain('# pass 1');
});

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const run = promisify(execFile);

// The sample for vitest is run by tools/e2e/consumers, as an application that has installed the package.

test.each([
  ['that runs and sees its own call', 'ts', [], /^200 \d{4,}\ncreateSpeech opus true\n$/],
  ['without a port that fails once and then speaks', 'ts fetch', [], /^1 503\n2 200\n2\n$/],
  ['for node:test that passes', 'ts node-test', ['--test-reporter=tap'], /ok 1 - asks for opus.*# pass 1\n/s],
] as const)('has a sample %s', async (_what, language, more, output) => {
  const [, sample = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(readme) ?? [];
  const options = [...more, '--input-type=module-typescript', '--eval', sample];
  const { stdout } = await run(process.execPath, options, { cwd: folder });
  expect(stdout).toMatch(output);
});

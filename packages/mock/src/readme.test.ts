import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { helpText } from './command-line.ts';
import { transcriptNames } from './speech/transcripts.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const run = promisify(execFile);

test('has a TypeScript sample that runs and sees its own call', async () => {
  const [, sample = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const options = ['--input-type=module-typescript', '--eval', sample];
  const { stdout } = await run(process.execPath, options, { cwd: folder });
  expect(stdout).toMatch(/^200 \d{4,}\ncreateSpeech opus true\n$/);
});

test('has a sample for vitest that passes', async () => {
  const [, sample = ''] = /```ts vitest\n(.*?)```/s.exec(readme) ?? [];
  const place = await mkdtemp(`${folder}.sample-`);
  try {
    await writeFile(`${place}/sample.test.ts`, sample);
    await writeFile(`${place}/vitest.config.ts`, 'export default {};');
    const program = `${folder}node_modules/vitest/vitest.mjs`;
    const { stdout } = await run(process.execPath, [program, 'run', '--root', place, '--no-color']);
    expect(stdout).toContain('1 passed');
  } finally {
    await rm(place, { recursive: true });
  }
});

test('explains every option of the command line, and no other', () => {
  const optionsOf = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, name]) => name ?? '').sort();
  const explained = optionsOf(readme, /^\| `(--[a-z-]+)/gm);
  const offered = optionsOf(helpText, /^ {2}(--[a-z-]+)/gm);
  expect(explained).toEqual(offered.filter((name) => !['--help', '--version'].includes(name)));
});

test('names every transcript, and no other', () => {
  const named = [...readme.matchAll(/^\| `([a-z]+(?:-[a-z]+)+)` \|/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(transcriptNames().sort());
});

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { loadSeed } from './seed.ts';
import { newFolder } from './testing/sandboxes.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const guide = await readFile(
  new URL('../../docs/src/content/docs/guides/sandbox-details.mdx', import.meta.url),
  'utf8',
);

test('has a TypeScript sample that runs and hears something', async () => {
  const [, sample = ''] = /```ts[^\n]*\n(.*?)```/s.exec(readme) ?? [];
  const options = ['--input-type=module-typescript', '--eval', sample];
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: folder });
  const [status, bytes] = stdout.split(' ').map(Number);
  expect(status).toBe(200);
  expect(bytes).toBeGreaterThan(10_000);
});

test('has a seed file that the sandbox accepts as it is', async () => {
  const [, sample = ''] = /```json\n(.*?)```/s.exec(guide) ?? [];
  const file = join(await newFolder(), 'seed.json');
  await writeFile(file, sample);
  const seed = loadSeed(file);
  expect(seed.accounts.at(-1)).toMatchObject({ key: 'team-key', api_credit: { credit: '5.00' } });
});

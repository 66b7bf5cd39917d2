import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSeed } from './seed.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-seed-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('has built-in data that the spec allows, with the well-known keys and voices', () => {
  const seed = loadSeed();
  expect(seed.accounts.map((account) => account.key)).toEqual([
    'sandbox-key',
    'sandbox-empty',
    'sandbox-busy',
    'sandbox-forbidden',
  ]);
  const ids = seed.models.map(({ model }) => model._id);
  expect(ids).toEqual(
    expect.arrayContaining(['sandbox-alba', 'sandbox-blake', 'sandbox-cleo', 'sandbox-mei']),
  );
});

it('uses the built-in data for a folder without a seed file', () => {
  expect(loadSeed(folder)).toEqual(loadSeed());
});

it('uses the seed file of the folder instead', async () => {
  const seed = { ...loadSeed(), models: [] };
  await writeFile(join(folder, 'seed.json'), JSON.stringify(seed));
  expect(loadSeed(folder)).toEqual(seed);
});

it('names the file and the entry when something is wrong', async () => {
  const file = join(folder, 'seed.json');
  await writeFile(file, '{');
  expect(() => loadSeed(folder)).toThrow('seed.json is not valid JSON');
  const seed = JSON.parse(await readFile(new URL('../../seed/default.json', import.meta.url), 'utf8'));
  seed.models[1].model.state = 'ready';
  await writeFile(file, JSON.stringify(seed));
  expect(() => loadSeed(folder)).toThrow(/models\[1\]\.model: .*`state`/);
});

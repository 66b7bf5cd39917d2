import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generateCommand, generateFiles, readSources } from './generate.ts';
import { differences, readOutput, writeOutput } from './output.ts';

test('the committed files are those of the specification', async () => {
  const stale = differences(await generateFiles(readSources()), await readOutput());
  expect(stale, `Generated files are out of date. Run: ${generateCommand}`).toEqual([]);
});

test('a change of the rules shows in the rules, the hash included', async () => {
  const sources = readSources();
  const before = await generateFiles(sources);
  const rules = JSON.parse(JSON.stringify(sources['rules.json']).replace('[32000,44100]', '[32000]'));
  const after = await generateFiles({ ...sources, 'rules.json': rules });
  expect(differences(after, before)).toEqual([
    'packages/client/src/generated/rule-fields.ts',
    'packages/client/src/generated/rules.ts',
    'packages/server/src/generated/rules.ts',
    'packages/types/src/generated/expressions.ts',
    'packages/types/src/generated/operations.ts',
    'packages/types/src/generated/refusals.ts',
    'packages/types/src/generated/rules.ts',
  ]);
  expect(after.get('packages/client/src/generated/rules.ts')).toContain(
    'isOneOf(request.sample_rate, [32000])',
  );
});

test('an empty list of rules is an error', async () => {
  const sources = readSources();
  const rules = { ...sources['rules.json'], synthesis: [] };
  await expect(generateFiles({ ...sources, 'rules.json': rules })).rejects.toThrow('no synthesisRules');
});

/** A repository with nothing in it but a folder of generated types. */
async function emptyRepository() {
  const root = await mkdtemp(join(tmpdir(), 'codegen-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = 'packages/types/src/generated';
  await mkdir(join(root, folder), { recursive: true });
  return { root, path: (name: string) => `${folder}/${name}` };
}

test('writes what changed, removes what is gone, and leaves the rest', async () => {
  const { root, path } = await emptyRepository();
  // The line ends of another system make no difference.
  await writeFile(join(root, path('same.ts')), 'same\r\n');
  await writeFile(join(root, path('stale.ts')), 'old\n');
  await writeFile(join(root, path('gone.ts')), 'gone\n');
  const files = new Map([
    [path('same.ts'), 'same\n'],
    [path('stale.ts'), 'new\n'],
    ['packages/server/src/generated/fresh.ts', 'fresh\n'],
  ]);
  expect(await writeOutput(files, root)).toEqual([
    'packages/server/src/generated/fresh.ts',
    path('gone.ts'),
    path('stale.ts'),
  ]);
  expect(await readOutput(root)).toEqual(files);
  expect(await readFile(join(root, path('stale.ts')), 'utf8')).toBe('new\n');
  expect(await writeOutput(files, root)).toEqual([]);
});

import { expect, test } from 'vitest';
import type { Json } from './document.ts';
import { generateCommand, generateFiles } from './generate.ts';
import { differences, readOutput } from './output.ts';
import { makeSource, readSources } from './sources.ts';

test('the committed types are those of the specification', async () => {
  const stale = differences(await generateFiles(await readSources()), await readOutput());
  expect(stale, `packages/types/src/generated is out of date. Run: ${generateCommand}`).toEqual([]);
});

test('the same sources give the same bytes', async () => {
  expect(await generateFiles(await readSources())).toEqual(await generateFiles(await readSources()));
});

test('every file names its source, the hash of it, and the command', async () => {
  const sources = await readSources();
  for (const [name, code] of await generateFiles(sources)) {
    expect(code, name).toContain(generateCommand);
    expect(code, name).toMatch(/@speech-api\/spec\/\w+\.json {2}sha256 [0-9a-f]{16}/);
  }
});

test('a change of the rules shows in the rules, the hash included', async () => {
  const sources = await readSources();
  const before = await generateFiles(sources);
  const text = JSON.stringify(sources.rules.value).replace('Use one of {allowed}', 'Take one of {allowed}');
  const after = await generateFiles({ ...sources, rules: makeSource('rules.json', text) });
  expect(differences(after, before)).toEqual([
    'client-rules.ts',
    'expressions.ts',
    'operations.ts',
    'refusals.ts',
    'rules.ts',
  ]);
  expect(after.get('rules.ts')).toContain('Take one of {allowed}');
});

test('the layout of a source does not change its hash', () => {
  const value: Json = { id: 'a', list: [1, 2] };
  const tight = makeSource('rules.json', JSON.stringify(value));
  expect(makeSource('rules.json', JSON.stringify(value, null, 4)).hash).toBe(tight.hash);
});

test('an empty list of rules is an error', async () => {
  const sources = await readSources();
  const rules = makeSource('rules.json', JSON.stringify({ ...sources.rules.value, synthesis: [] }));
  await expect(generateFiles({ ...sources, rules })).rejects.toThrow('no synthesisRules');
});

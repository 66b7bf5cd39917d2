import { expect, test } from 'vitest';
import { generateCommand, generateFiles, readSources } from './generate.ts';
import { differences, readOutput } from './output.ts';

test('the committed files are those of the specification', async () => {
  const stale = differences(await generateFiles(readSources()), readOutput());
  expect(stale, `Generated files are out of date. Run: ${generateCommand}`).toEqual([]);
});

test('a change of the rules shows in the rules and nowhere else', async () => {
  const sources = readSources();
  const before = await generateFiles(sources);
  const rules = JSON.parse(JSON.stringify(sources['rules.json']).replace('[32000,44100]', '[32000]'));
  const after = await generateFiles({ ...sources, 'rules.json': rules });
  expect(differences(after, before)).toEqual([
    'packages/types/src/generated/request-rules.ts',
    'packages/types/src/generated/rules.ts',
  ]);
  const code = after.get('packages/types/src/generated/request-rules.ts');
  expect(code).toContain('isOneOf(request.sample_rate, [32000])');
});

test('an empty list of rules is an error', async () => {
  const sources = readSources();
  const rules = { ...sources['rules.json'], synthesis: [] };
  await expect(generateFiles({ ...sources, 'rules.json': rules })).rejects.toThrow('no synthesisRules');
});

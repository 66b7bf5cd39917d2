import { expect, test } from 'vitest';
import { generateCommand, generateFiles, readSources } from './generate.ts';
import { differences, readOutput } from './output.ts';

const sources = readSources();
const generated = generateFiles(sources);

test('the committed files are those of the specification', async () => {
  const stale = differences(await generated, readOutput());
  expect(stale, `Generated files are out of date. Run: ${generateCommand}`).toEqual([]);
});

test('a change of the rules shows in the rules and nowhere else', async () => {
  const rules = JSON.parse(JSON.stringify(sources['rules.json']).replace('[32000,44100]', '[32000]'));
  const after = await generateFiles({ ...sources, 'rules.json': rules });
  expect(differences(after, await generated)).toEqual([
    'packages/types/src/generated/request-rules.ts',
    'packages/types/src/generated/rules.ts',
  ]);
  const code = after.get('packages/types/src/generated/request-rules.ts');
  expect(code).toContain('isOneOf(request.sample_rate, [32000])');
});

test('an empty list of rules is an error', async () => {
  const rules = { ...sources['rules.json'], synthesis: [] };
  await expect(generateFiles({ ...sources, 'rules.json': rules })).rejects.toThrow('no synthesisRules');
});

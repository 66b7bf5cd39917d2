import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asArray, asObject, asText, readBuilt, SpecDocument } from '@speech-api/spec/read';
import { operationTable } from '@speech-api/types';
import { expect, onTestFinished, test } from 'vitest';
import { missingSamples } from '../src/missing-samples.ts';
import {
  findSamples,
  languages,
  placeSamples,
  removeSamples,
  writeCompilerSettings,
} from '../src/samples.ts';

const run = promisify(execFile);
const samples = findSamples();

test('each operation has a sample in each language, or a reason why not', () => {
  const found = samples.map(({ operationId, language }) => `${operationId} in ${language}`);
  const missing = missingSamples.map(({ operationId, language }) => `${operationId} in ${language}`);
  const expected = Object.keys(operationTable)
    .flatMap((operationId) => languages.map((language) => `${operationId} in ${language}`))
    .filter((sample) => !missing.includes(sample));
  expect(found.sort()).toEqual(expected.sort());
});

test.each(samples)(
  'the $language sample of $operationId calls that operation and holds no key',
  ({ path, operationId, language }) => {
    const text = readFileSync(path, 'utf8');
    expect(text).not.toMatch(/sandbox-key|127\.0\.0\.1|localhost/);
    const operation = operationTable[operationId as keyof typeof operationTable];
    if (language === 'typescript') return expect(text).toContain('createSpeechClient()');
    const path_ = operation.path.replaceAll(/\{\w+\}/g, '[\\w-]+');
    if (language === 'python') {
      expect(text).toContain(`"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}"`);
      expect(text).toMatch(new RegExp(`requests\\.${operation.method.toLowerCase()}\\(`));
      return expect(text).toMatch(new RegExp(`\\{os\\.environ\\['SPEECH_BASE_URL'\\]\\}${path_}"`));
    }
    expect(text).toMatch(/^#!.*\nset -euo pipefail\n/);
    expect(text).toContain('Authorization: Bearer $SPEECH_API_KEY');
    expect(text).toMatch(new RegExp(`"\\$SPEECH_BASE_URL${path_}"`));
  },
);

test('the documents show each sample as it is run', () => {
  for (const document of [readBuilt('openapi.json'), readBuilt('openapi-3.1.json')]) {
    const shown = new SpecDocument(document)
      .operations()
      .flatMap(({ id, operation }) =>
        asArray(operation['x-codeSamples']).map((sample) => `${id} ${asText(asObject(sample).source)}`),
      );
    expect(shown.sort()).toEqual(
      samples.map(({ operationId, path }) => `${operationId} ${readFileSync(path, 'utf8')}`).sort(),
    );
  }
});

test('every sample in TypeScript compiles', async () => {
  placeSamples(
    'compiled',
    samples.filter(({ language }) => language === 'typescript'),
  );
  onTestFinished(() => removeSamples('compiled'));
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const failure = await run(process.execPath, [compiler, '-p', writeCompilerSettings('compiled')]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(failure).toBe('');
});

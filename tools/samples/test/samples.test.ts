import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operationTable } from '@speech-api/types';
import { expect, onTestFinished, test } from 'vitest';
import { notWrittenYet } from '../src/not-written-yet.ts';
import { findSamples, placeSamples, removeSamples, writeCompilerSettings } from '../src/samples.ts';

const run = promisify(execFile);
const samples = findSamples();

test('each operation has a sample in each language, or a reason why not', () => {
  const found = samples.map(({ operationId, language }) => `${operationId} in ${language}`);
  const missing = new Set<string>(notWrittenYet.map(({ operationId }) => operationId));
  const expected = Object.keys(operationTable)
    .filter((operationId) => !missing.has(operationId))
    .flatMap((operationId) => [`${operationId} in curl`, `${operationId} in typescript`]);
  expect(found.sort()).toEqual(expected.sort());
});

test.each(samples)(
  'the $language sample of $operationId calls that operation and holds no key',
  ({ path, operationId, language }) => {
    const text = readFileSync(path, 'utf8');
    expect(text).not.toMatch(/sandbox-key|127\.0\.0\.1|localhost/);
    const operation = operationTable[operationId as keyof typeof operationTable];
    if (language === 'typescript') return expect(text).toContain('createSpeechClient()');
    expect(text).toMatch(/^#!.*\nset -euo pipefail\n/);
    expect(text).toContain('Authorization: Bearer $SPEECH_API_KEY');
    const path_ = operation.path.replaceAll(/\{\w+\}/g, '[\\w-]+');
    expect(text).toMatch(new RegExp(`"\\$SPEECH_BASE_URL${path_}"`));
  },
);

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

import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asArray, asObject, asText, readBuilt, SpecDocument } from '@speech-api/spec/read';
import { operationTable } from '@speech-api/types';
import { expect, onTestFinished, test } from 'vitest';
import {
  files,
  findSamples,
  languages,
  placeSamples,
  removeSamples,
  writeCompilerSettings,
} from './placed-samples.ts';

const run = promisify(execFile);
const samples = findSamples();

test('each operation has a sample in TypeScript, and with a body one in each language', () => {
  const found = samples.map(({ operationId, language }) => `${operationId}/${files[language]}`);
  const missing = Object.entries(operationTable)
    .filter(([operationId]) => operationId !== 'openLiveSession')
    .flatMap(([operationId, { requestMediaTypes }]) =>
      (requestMediaTypes.length > 0 ? languages : (['typescript'] as const)).map(
        (language) => `${operationId}/${files[language]}`,
      ),
    )
    .filter((sample) => !found.includes(sample));
  expect(missing, 'Write these files in spec/samples; the others there are examples').toEqual([]);
});

test('the command line calls what each sample calls', () => {
  const commands = globSync('../../../apps/cli/src/**/*.ts', { cwd: import.meta.dirname })
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n');
  // A recording of any length is transcribed in parts.
  const replaced = new Map([['transcriptions.create(', 'transcribeRecording(']]);
  const missing = samples
    .filter(({ language }) => language === 'typescript')
    .flatMap(({ operationId, path }) => {
      const text = readFileSync(path, 'utf8');
      const [call] = /(?<=client\.)(?!http)\w+\.\w+\(|connectLive\(/.exec(text) ?? [];
      if (call === undefined)
        return [`${operationId}: its sample calls no method of the client, such as client.models.list()`];
      if (commands.includes(replaced.get(call) ?? call)) return [];
      return [`${operationId}: call client.${call}...) in a command of apps/cli/src/commands`];
    });
  expect(missing).toEqual([]);
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

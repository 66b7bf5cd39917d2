import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createClient } from '@hey-api/openapi-ts';
import { generateZodClientFromOpenAPI } from 'openapi-zod-client';
import { generate } from 'orval';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile, pathOf, run, said, useSandbox } from './runner.ts';

const document = fileURLToPath(import.meta.resolve('@speech-api/spec/openapi-3.1.json'));
// Inside this workspace, because generated code imports what is installed here.
const folder = pathOf('../.temporary/generators/');
const sandbox = useSandbox();

/** Writes a client with each generator, by its own settings but for the file extension that Node asks for. */
async function generateClients(): Promise<void> {
  await createClient({
    input: document,
    output: { path: `${folder}hey-api`, module: { extension: '.js' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  // Its own reader takes every answer for JSON; a function in place of fetch is its way to read audio.
  const mutator = { path: `${folder}programs/orval-fetch.ts`, name: 'speechFetch', extension: '.js' };
  await generate(
    {
      input: { target: document },
      output: { target: `${folder}orval/client.ts`, client: 'fetch', override: { mutator } },
    },
    folder,
  );
  await generateZodClientFromOpenAPI({
    openApiDoc: JSON.parse(readFileSync(document, 'utf8')),
    distPath: `${folder}openapi-zod-client/client.ts`,
    // Calls are then named as their operations.
    options: { withAlias: true },
  });
}

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  cpSync(new URL('programs', import.meta.url), `${folder}programs`, { recursive: true });
  mkdirSync(`${folder}openapi-zod-client`);
  await generateClients();
  const sample = await sandbox.client.speech.create({ text: said, format: 'wav' });
  writeFileSync(`${folder}sample.wav`, await sample.bytes());
  writeFileSync(`${folder}package.json`, '{ "type": "module" }');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a parser that checks references accepts the 3.1 document', async () => {
  await expect(SwaggerParser.validate(document)).resolves.toMatchObject({ openapi: '3.1.1' });
});

const sentence = { starts: expect.stringMatching(/^ff[ef]/), bytes: expect.any(Number) };

// Bytes as a decoder expects them: an MPEG frame, RIFF, an Ogg page.
test.each([
  [
    'hey-api',
    {
      sentence,
      cloned: { starts: '52494646', bytes: expect.any(Number) },
      transcription: said,
      model: 'Harbour',
      stream: { starts: '4f676753', words: 'Every word knows its time' },
    },
  ],
  ['orval', { sentence, transcription: said, titles: ['Alba'], unknown: 404 }],
  // Values that the specification does not list yet are accepted in answers.
  [
    'openapi-zod-client',
    {
      ...{ titles: ['Alba'], credit: true, transcription: said, unknown: 404 },
      ...{ state: 'resting', visibility: 'by-invitation' },
    },
  ],
])(
  'the client of %s compiles strictly, and its program does its work on the sandbox',
  async (name, result) => {
    const compilerOptions = {
      ...{ strict: true, noUncheckedIndexedAccess: true, target: 'es2023', module: 'nodenext' },
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      ...{ types: ['node'], skipLibCheck: true, outDir: `${folder}built`, rootDir: folder },
    };
    const include = [name, `programs/${name}.ts`];
    writeFileSync(`${folder}tsconfig.json`, JSON.stringify({ compilerOptions, include }));
    expect(await compile(folder)).toBe('');
    const printed = await run(sandbox.url, folder, process.execPath, `built/programs/${name}.js`);
    expect(JSON.parse(printed)).toEqual(result);
  },
);

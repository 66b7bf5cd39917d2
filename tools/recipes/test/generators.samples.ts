import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createClient } from '@hey-api/openapi-ts';
import { createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';
import { generateZodClientFromOpenAPI } from 'openapi-zod-client';
import { generate } from 'orval';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const document = fileURLToPath(import.meta.resolve('@speech-api/spec/openapi-3.1.json'));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
// Inside this workspace, because generated code imports what is installed here.
const folder = fileURLToPath(new URL('../.temporary/generators/', import.meta.url));

/** Writes a client with each generator, by its own settings but for the file extension that Node asks for. */
const generators = {
  'hey-api': (path: string) =>
    createClient({
      input: document,
      output: { path, module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    }),
  // Its own reader takes every answer for JSON; a function in place of fetch is its way to read audio.
  orval: (path: string) =>
    generate(
      {
        input: { target: document },
        output: {
          target: `${path}/client.ts`,
          client: 'fetch',
          override: {
            mutator: { path: `${folder}programs/orval-fetch.ts`, name: 'speechFetch', extension: '.js' },
          },
        },
      },
      folder,
    ),
  'openapi-zod-client': (path: string) =>
    generateZodClientFromOpenAPI({
      openApiDoc: JSON.parse(readFileSync(document, 'utf8')),
      distPath: `${path}/client.ts`,
    }),
} as const;

const names = Object.keys(generators) as (keyof typeof generators)[];

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  cpSync(new URL('programs', import.meta.url), `${folder}programs`, { recursive: true });
  for (const name of names) {
    mkdirSync(folder + name, { recursive: true });
    await generators[name](folder + name);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The errors of the strict compiler for a file or a folder below that of the generated clients. */
async function compile(include: string, outDir?: string): Promise<string> {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2023',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    skipLibCheck: true,
    ...(outDir === undefined ? { noEmit: true } : { outDir, rootDir: folder }),
  };
  const settings = `${folder}tsconfig.json`;
  writeFileSync(settings, JSON.stringify({ compilerOptions, include: [include] }));
  return run(process.execPath, [compiler, '-p', settings]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

test('a parser that checks references accepts the 3.1 document', async () => {
  await expect(SwaggerParser.validate(document)).resolves.toMatchObject({ openapi: '3.1.1' });
});

test.each(names)('the client that %s generates compiles strictly', async (name) => {
  expect(await compile(name)).toBe('');
});

describe('programs on generated clients, against the sandbox', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 });
    const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: sandbox.url });
    const sample = await client.speech.create({ text: 'What is said in the sample.', format: 'wav' });
    writeFileSync(`${folder}sample.wav`, await sample.bytes());
  });

  afterAll(() => sandbox.close());

  /** Compiles one of the programs beside this test and runs it; what it prints is JSON. */
  async function runProgram(name: string): Promise<unknown> {
    writeFileSync(`${folder}package.json`, '{ "type": "module" }');
    expect(await compile(`programs/${name}.ts`, `${folder}built`)).toBe('');
    const env = { ...process.env, SPEECH_BASE_URL: sandbox.url, SPEECH_API_KEY: 'sandbox-key' };
    const { stdout } = await run(process.execPath, [`built/programs/${name}.js`], { cwd: folder, env });
    return JSON.parse(stdout);
  }

  test('hey-api speaks, sends a reference sample, transcribes, makes a voice model and reads an event stream', async () => {
    expect(await runProgram('hey-api')).toEqual({
      // Bytes as a decoder expects them: an MPEG frame, RIFF, an Ogg page.
      sentence: { starts: expect.stringMatching(/^ff[ef]/), bytes: expect.any(Number) },
      cloned: { starts: '52494646', bytes: expect.any(Number) },
      transcription: 'What is said in the sample.',
      model: 'Harbour',
      stream: { starts: '4f676753', words: 'Every word knows its time' },
    });
  });

  test('orval, with a function in place of fetch, speaks a sentence and lists voice models', async () => {
    expect(await runProgram('orval')).toEqual({
      sentence: { starts: expect.stringMatching(/^ff[ef]/), bytes: expect.any(Number) },
      titles: ['Alba'],
    });
  });

  test('openapi-zod-client reads an answer whose state is new', async () => {
    expect(await runProgram('openapi-zod-client')).toEqual({ state: 'resting', visibility: 'by-invitation' });
  });
});

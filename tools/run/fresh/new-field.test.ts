import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The worked example of CONTRIBUTING.md, done in a copy of the repository: the code blocks written there are used here.
// The copy gets an install of its own from `npm run generate`: a link to the node_modules of this repository would be rewritten.

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const execute = promisify(execFile);
const guide = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');
const field = 'breathiness';
const [edit, line] = ['yaml', 'ts'].map((language) => {
  const block = new RegExp(`\`\`\`${language}\\n([^\`]*${field}[^\`]*)\`\`\``).exec(guide)?.[1];
  if (block === undefined) throw new Error(`CONTRIBUTING.md has no ${language} block with ${field}.`);
  return block;
});

let copy = '';
const inCopy = (path: string) => join(copy, path);
const read = (path: string) => readFileSync(inCopy(path), 'utf8');

/** Runs a program in the copy; resolves with its output, and its exit code where it fails. */
async function run(folder: string, program: string, args: readonly string[]) {
  const bin = [inCopy(`${folder}/node_modules/.bin`), inCopy('node_modules/.bin')];
  const environment = { ...process.env, PATH: [...bin, process.env.PATH].join(delimiter) };
  const settings = { cwd: inCopy(folder), env: environment, maxBuffer: 64_000_000 };
  return execute(program, [...args], settings).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: `${error.stdout}${error.stderr}`,
    }),
  );
}

const vitest = (folder: string, ...args: string[]) =>
  run(folder, 'vitest', ['run', '--maxWorkers=1', ...args]);

async function turbo(...args: string[]): Promise<void> {
  const { code, output } = await run('.', 'turbo', ['run', ...args, '--output-logs=errors-only']);
  expect(code, output).toBe(0);
}

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'new-field-'));
  const { stdout } = await execute('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    maxBuffer: 64_000_000,
  });
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(repository, file)));
  for (const file of files) cpSync(join(repository, file), inCopy(file), { recursive: true });
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('one edit of the specification and one command bring a field everywhere', async () => {
  appendFileSync(inCopy('spec/schemas/SynthesisSettings.yaml'), edit ?? '');
  const { code, output } = await run('.', 'npm', ['run', 'generate']);
  expect(code, output).toBe(0);
  expect(read('packages/types/src/generated/openapi.ts')).toContain(`${field}?: number;`);
  expect(read('packages/types/src/generated/constants.ts')).toContain(
    `${field}: { minimum: 0, maximum: 1 },`,
  );
  expect(read('apps/sandbox/README.md')).toContain(`| \`${field}\` | accepted, without effect |`);
});

test('the second copy of the interface asks for its line by name, and for nothing else', async () => {
  const refused = await vitest('spec', 'test/interface.test.ts');
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('"breathiness"');
  const file = 'spec/test/interface.test.ts';
  const anchor = /\n( *early_stop_threshold: \{[^}]*\},\n)/.exec(read(file))?.[1] ?? '';
  writeFileSync(inCopy(file), read(file).replace(anchor, anchor + line));
  const accepted = await vitest('spec', 'test/interface.test.ts');
  expect(accepted.code, accepted.output).toBe(0);
});

test('every list that is derived from the fields follows', async () => {
  for (const [folder, ...files] of [
    ['tools/codegen', 'src/generate.test.ts'],
    ['tools/config'],
    ['apps/sandbox', 'test/support'],
    ['packages/contract', 'rule-table'],
    ['packages/server', 'src/validate'],
  ] as const) {
    const { code, output } = await vitest(folder, ...files);
    expect(code, output).toBe(0);
  }
});

test('the client sends the field, and a server checks it', async () => {
  await turbo('build', '--filter=@speech-api/mock', '--filter=@speech-api/client');
  writeFileSync(inCopy('packages/client/src/new-field.ts'), typed);
  const compiled = await run('packages/client', 'tsc', ['-p', 'tsconfig.json']);
  expect(compiled.code, compiled.output).toBe(0);
  writeFileSync(inCopy('tools/e2e/new-field.mjs'), asked);
  const { code, output } = await run('tools/e2e', 'node', ['new-field.mjs']);
  expect(code, output).toBe(0);
  expect(JSON.parse(output)).toEqual({ good: true, bad: 422, loc: ['body', field] });
});

test('the reference of the site shows the field', async () => {
  writeFileSync(inCopy('apps/docs/new-field.ts'), shown);
  const { code, output } = await run('apps/docs', 'node', ['new-field.ts']);
  expect(code, output).toBe(0);
  expect(JSON.parse(output)).toEqual(['createSpeech', 'streamSpeechWithTimestamps']);
});

const typed = `import type { SpeechRequest } from './request-check.ts';
export const good: SpeechRequest = { text: 'a', ${field}: 0.2 };
// @ts-expect-error The field is a number.
export const bad: SpeechRequest = { text: 'a', ${field}: 'much' };
`;

const asked = `import { createSpeechClient } from '@speech-api/client';
import { startMock } from '@speech-api/mock';
const mock = await startMock({ port: 0 });
const headers = { authorization: 'Bearer any', model: 's2-pro', 'content-type': 'application/json' };
const client = createSpeechClient({ apiKey: 'any', baseUrl: mock.url });
const good = await client.speech.create({ text: 'Hello.', ${field}: 0.2 });
const sound = await good.bytes();
const body = JSON.stringify({ text: 'Hello.', ${field}: 1.2 });
const bad = await fetch(mock.url + '/v1/tts', { method: 'POST', headers, body });
const [issue] = await bad.json();
await mock.close();
console.log(JSON.stringify({ good: sound.length > 0, bad: bad.status, loc: issue.loc }));
`;

const shown = `import { describeOperations } from './src/reference/model/operations.ts';
import { readSpecification } from './src/reference/model/document.ts';
const pages = describeOperations(await readSpecification());
const names = pages.filter(({ body }) => JSON.stringify(body ?? '').includes('"${field}"')).map(({ id }) => id);
console.log(JSON.stringify(names));
`;

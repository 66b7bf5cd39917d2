import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks, root } from './testing/code-blocks.ts';
import { sandboxKey, useSandbox } from './testing/use-sandbox.ts';

const run = promisify(execFile);
const sandbox = useSandbox();
// Inside this workspace, because the blocks import its dependencies by their names.
const temporary = fileURLToPath(new URL('../.temporary/documentation/', import.meta.url));
const readmes = ['README.md', 'packages/*/README.md', 'apps/*/README.md', 'spec/README.md'];
// Fragments that need no service are completed and run by their own package.
const runsItsOwn = (file: string): boolean => existsSync(`${root}${dirname(file)}/src/readme.test.ts`);
const skills = 'packages/*/skills/*/SKILL.md';
const blocks = codeBlocks([...readmes, skills, 'packages/client/src/**/*.ts']).filter(
  ({ file, language }) => language === 'ts' && !runsItsOwn(file),
);
const named = blocks.map((block) => ({
  ...block,
  name: `${block.file}:${block.line}`,
  path: `${block.file.replaceAll(/[/.]/g, '-')}-${block.line}.ts`,
}));

/** Id that the blocks use for a voice model of the reader. */
const placeholderId = 'my-model-id';

beforeAll(() => {
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  for (const { path, code } of named) writeFileSync(temporary + path, code);
  const compilerOptions = { noEmit: true, lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'] };
  const config = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'] };
  writeFileSync(`${temporary}tsconfig.json`, JSON.stringify(config));
  writeFileSync(`${temporary}package.json`, '{ "type": "module", "private": true }');
});

/** Writes the files that the blocks use: recordings with speech, under the names in the blocks. */
beforeAll(async () => {
  const { speech } = sandbox.client();
  const text = 'What is said in the sample.';
  for (const [name, format] of [
    ['sample.wav', 'wav'],
    ['interview.mp3', 'mp3'],
  ] as const) {
    writeFileSync(temporary + name, await (await speech.create({ text, format })).bytes());
  }
});

afterAll(() => {
  rmSync(temporary, { recursive: true, force: true });
});

test('every block of TypeScript compiles', async () => {
  expect(named.length).toBeGreaterThan(5);
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const failure = await run(process.execPath, [compiler, '-p', temporary]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(failure).toBe('');
}, 120_000);

test('a skill has the name of its folder, and a description that agents take', () => {
  const files = globSync(skills, { cwd: root });
  expect(files).toHaveLength(2);
  for (const file of files) {
    const [, head = ''] = /^---\n(.*?)\n---\n/s.exec(readFileSync(root + file, 'utf8')) ?? [];
    const { name, description } = parse(head) as Record<string, string>;
    expect([name, String(description).length <= 1024]).toEqual([basename(dirname(file)), true]);
  }
});

test.each(named.filter(({ marks }) => !marks.includes('norun')))(
  '$name runs against the sandbox',
  async ({ path, code }) => {
    // A voice model that a block names is there: one for each block, since one of them deletes it.
    if (code.includes(placeholderId)) {
      const voice = new Blob([new Uint8Array(readFileSync(`${temporary}sample.wav`))]);
      const { _id } = await sandbox.client().models.create({
        type: 'tts',
        title: 'For the documentation',
        visibility: 'private',
        train_mode: 'fast',
        voices: [voice],
      });
      writeFileSync(temporary + path, code.replaceAll(placeholderId, _id));
    }
    const env = { ...process.env, SPEECH_BASE_URL: sandbox.url, SPEECH_API_KEY: sandboxKey };
    const { stderr } = await run(process.execPath, [temporary + path], {
      cwd: temporary,
      env,
      timeout: 50_000,
    });
    expect(stderr).toBe('');
  },
);

test('the README shows the captions that its program writes', () => {
  const [shown] = codeBlocks(['README.md']).filter(({ marks }) => marks.includes('words.vtt'));
  expect(readFileSync(`${temporary}words.vtt`, 'utf8').trim()).toBe(shown?.code.trim());
});

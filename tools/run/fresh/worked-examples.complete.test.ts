import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Both worked examples, done in a copy of the repository by the page alone: its edits, then its commands.

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const guide = readFileSync(join(import.meta.dirname, 'worked-examples.md'), 'utf8');
const execute = promisify(execFile);
const copy = mkdtempSync(join(tmpdir(), 'worked-examples-'));
const read = (path: string): string => readFileSync(join(copy, path), 'utf8');

beforeAll(async () => {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await execute('git', listing, { cwd: repository, maxBuffer: 64_000_000 });
  for (const file of stdout.split('\0')) {
    if (file !== '' && existsSync(join(repository, file))) cpSync(join(repository, file), join(copy, file));
  }
  // Some checks need the list of tracked files.
  await inCopy('git', 'init', '--quiet');
  await inCopy('git', 'add', '--all');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

async function inCopy(program: string, ...args: readonly string[]): Promise<string> {
  // Unchanged packages come from this repository's cache.
  const env = { TURBO_CACHE_DIR: join(repository, '.turbo/cache'), ...process.env };
  const settings = { cwd: copy, env, maxBuffer: 64_000_000 };
  const { stdout, stderr } = await execute(program, args, settings).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}: ${`${error.stdout}${error.stderr}`.slice(-6000)}`);
  });
  return stdout + stderr;
}

const npm = (...args: readonly string[]) => inCopy('npm', ...args);

/** The edits of an example: a file, where in it, and the block of text. */
function editsOf(heading: string) {
  const section = guide.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  const pattern = /^\d\. `([^`]+)`, (?:new|at its end|below `([^`]+)`)[^\n]*:\n\n```\w+\n([\s\S]*?)```/gm;
  return [...section.matchAll(pattern)].map(([, path = '', anchor, text = '']) => ({ path, anchor, text }));
}

function perform({ path, anchor, text }: ReturnType<typeof editsOf>[number]): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  if (anchor === undefined) {
    appendFileSync(join(copy, path), text);
    return;
  }
  const lines = read(path).split('\n');
  const index = lines.findIndex((line) => line.includes(anchor));
  expect(index, `${path} has no line with ${anchor}`).toBeGreaterThanOrEqual(0);
  writeFileSync(join(copy, path), lines.toSpliced(index + 1, 0, text.trimEnd()).join('\n'));
}

test('a new field and a new endpoint need the edits that the page lists, and its commands do the rest', {
  timeout: 3_600_000,
}, async () => {
  const edits = [...editsOf('A new optional field'), ...editsOf('A new endpoint')];
  expect(edits.length).toBeGreaterThan(8);
  for (const edit of edits) perform(edit);
  const ceilings = Object.entries(JSON.parse(read('tools/config/ceilings.json')) as Record<string, number>);
  const raised = Object.fromEntries(ceilings.map(([part, lines]) => [part, lines + 50]));
  writeFileSync(join(copy, 'tools/config/ceilings.json'), `${JSON.stringify(raised, null, 2)}\n`);
  await inCopy('git', 'add', '--all');
  const draft = await npm('run', '--silent', 'diff', '--', 'draft');
  expect(draft.match(/^- .*breathiness.*$/gm)).toHaveLength(1);
  await npm('run', 'diff', '--', 'draft', '--write');
  const next = /^## (\S+)$/m.exec(read('spec/CHANGELOG.md'))?.[1] ?? '';
  const manifest = read('spec/package.json').replace(/"version": "[^"]+"/, `"version": "${next}"`);
  writeFileSync(join(copy, 'spec/package.json'), manifest);
  await npm('run', 'generate');
  await npm('run', 'api');
  await npm('test');
});

test('the client then sends the field and calls the endpoint, and the sandbox checks and answers them', async () => {
  writeFileSync(join(copy, 'new-field.ts'), program);
  expect(await npm('run', '--silent', 'try', 'new-field.ts')).toContain('true 422 string');
});

const program = `import { createSpeechClient } from '@speech-api/client';
const client = createSpeechClient();
const speech = await client.speech.create({ text: 'Hello.', breathiness: 0.2 });
const { SPEECH_BASE_URL, SPEECH_API_KEY } = process.env;
const refused = await fetch(SPEECH_BASE_URL + '/v1/tts', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + SPEECH_API_KEY, model: 's2-pro', 'content-type': 'application/json' },
  body: JSON.stringify({ text: 'Hello.', breathiness: 1.2 }),
});
const { credit } = await client.wallet.getPastCredit('2026-11-22');
console.log((await speech.bytes()).length > 1000, refused.status, typeof credit);
`;

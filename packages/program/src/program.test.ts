import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readHar } from './har.ts';
import { splitCommand } from './run-command.ts';

/** Runs a program of one option and one command, which fails. */
function run(...words: readonly string[]) {
  const code = `
import { createProgram, repeated, runProgram } from '${new URL('index.ts', import.meta.url)}';
const program = createProgram('speech-x', 'Does x.', '1.2.3-company.4');
program.command('work').option('--tag <tag>', 'may be repeated', repeated()).argument('[words...]');
program.commands[0].action((words, { tag }) => {
  if (words[0] === 'fail') throw new Error('it failed');
  console.log(JSON.stringify({ words, tag }));
});
await runProgram(program, undefined, (option) => (option === 'api-key' ? 'SPEECH_API_KEY' : undefined));`;
  const options = ['--input-type=module', '--eval', code, 'x', ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  return [status, stdout || stderr];
}

test.each([
  [['work', 'a', '--tag', 'b', 'c', '--tag', 'd'], 0, '{"words":["a","c"],"tag":["b","d"]}\n'],
  // A script runner may pass on its own separator.
  [['--', 'work', '--tag', 'b'], 0, '{"words":[],"tag":["b"]}\n'],
  [['--version'], 0, '1.2.3-company.4\n'],
  [['wrok'], 2, "speech-x: unknown command 'wrok' (did you mean work?)\nSee speech-x --help.\n"],
  [
    ['work', '--tga', 'b'],
    2,
    "speech-x: unknown option '--tga' (did you mean --tag?)\nSee speech-x --help.\n",
  ],
  [
    ['work', '--api-key=secret'],
    2,
    "speech-x: unknown option '--api-key' (it is a variable: set SPEECH_API_KEY)\nSee speech-x --help.\n",
  ],
  [['work', 'fail'], 1, 'speech-x: it failed\n'],
])('%j ends with %i', (words, status, output) => {
  expect(run(...words)).toEqual([status, output]);
});

test('splits a command from the options, behind the separator of a script runner too', () => {
  expect(splitCommand(['--', '--json', '--', 'npm', 'test'])).toEqual({
    options: ['--json'],
    command: ['npm', 'test'],
  });
  expect(splitCommand(['--', 'npm', 'test'])).toEqual({ options: [], command: ['npm', 'test'] });
  expect(splitCommand(['--json'])).toEqual({ options: ['--json'], command: undefined });
});

test('a recording is read behind a byte order mark and before what a killed recorder left, with the files beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'har-'));
  writeFileSync(join(folder, 'body.mp3'), Uint8Array.of(255, 251));
  const entry = (content: object, type = 'audio/mpeg') => ({
    request: { method: 'GET', url: 'https://a.example/', headers: [{ name: 'A', value: '1' }] },
    response: { status: 200, headers: [{ name: 'Content-Type', value: type }], content },
  });
  const contents = [
    entry({ _file: 'body.mp3' }),
    entry({ _file: 'gone.mp3' }),
    entry({ text: 'lossy' }),
    entry({ text: 'text' }, 'application/json; charset=utf-8'),
    entry({ text: 'cut', size: 4 }, 'text/plain'),
  ];
  const text = `\uFEFF{"log":{"creator":{"name":"x"},"entries":[${contents.map((part) => JSON.stringify(part))}\n]}},{"req`;
  const { creator, entries } = readHar(text, join(folder, 'calls.har'));
  expect([creator, entries[0]?.requestHeaders]).toEqual(['x', { a: '1' }]);
  const bodies = entries.map(({ responseBody }) => responseBody()?.toString());
  expect(bodies).toEqual([Buffer.from([255, 251]).toString(), undefined, undefined, 'text', undefined]);
});

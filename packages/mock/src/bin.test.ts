import { fileURLToPath } from 'node:url';
import { createCommandRunner } from '@speech-api/server/testing';
import { afterEach, expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';
import { key } from './testing/mocks.ts';

const program = fileURLToPath(new URL('bin.ts', import.meta.url));
const { run, runUntilUrl, killAll } = createCommandRunner(program);

afterEach(killAll);

test('prints its URL alone on stdout, tells what came in, and ends cleanly on Ctrl-C', async () => {
  const { child, output, exited, url } = await runUntilUrl('--port', '0');
  expect((await fetch(`${url}/model`, { headers: key })).status).toBe(200);
  expect((await fetch(`${url}/model?page_size=0`, { headers: key })).status).toBe(422);
  await expect
    .poll(() => output.stderr)
    .toContain('GET /model 422 listModels\n  schema at query.page_size: ');
  child.kill('SIGINT');
  expect(await exited).toBe(0);
  expect(output.stdout).toBe(`${url}\n`);
});

test('ends with 1 after a request that broke the specification, when it is asked to', async () => {
  for (const [query, code] of [
    ['', 0],
    ['?page_size=0', 1],
  ] as const) {
    const { child, exited, output, url } = await runUntilUrl('--port', '0', '--fail-on-violation', '--json');
    await (await fetch(`${url}/model${query}`, { headers: key })).text();
    await expect.poll(() => output.stdout.trim().split('\n').length).toBe(2);
    expect(JSON.parse(output.stdout.split('\n')[1] ?? '')).toMatchObject({ valid: code === 0 });
    child.kill('SIGTERM');
    expect(await exited).toBe(code);
  }
});

test('explains itself, and refuses what it does not know', async () => {
  const help = run('--help');
  const version = run('--version');
  const unknown = run('--colour');
  expect(await help.exited).toBe(0);
  expect(help.output.stdout).toContain('--lenient');
  expect(await version.exited).toBe(0);
  expect(version.output.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await unknown.exited).toBe(2);
  expect(unknown.output.stderr).toContain('--colour');
});

test('says what to do when the port is in use', async () => {
  const { url } = await runUntilUrl('--port', '0');
  const { output, exited } = run('--port', new URL(url).port);
  expect(await exited).toBe(1);
  expect(output.stderr).toContain('is in use');
});

test('listens on port 4020 of this machine alone unless told otherwise', () => {
  expect(readCommandLine([])).toEqual({
    port: 4020,
    host: '127.0.0.1',
    allowOrigin: [],
    lenient: false,
    json: false,
    failOnViolation: false,
    help: false,
    version: false,
  });
});

test.each([
  [['--port', '70000'], '--port'],
  [['--allow-origin', 'staging'], '--allow-origin'],
  [['--fault', 'status=200'], 'status=200'],
  [['extra'], 'extra'],
])('refuses %j and names the option', (given, words) => {
  expect(() => readCommandLine(given)).toThrow(words);
});

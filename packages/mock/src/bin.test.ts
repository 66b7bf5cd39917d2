import { fileURLToPath } from 'node:url';
import { createCommandRunner } from '@speech-api/server/testing';
import { afterEach, expect, test } from 'vitest';
import { key } from './testing/mocks.ts';

const program = fileURLToPath(new URL('bin.ts', import.meta.url));
const { run, runUntilUrl, killAll } = createCommandRunner(program);

afterEach(killAll);

test('prints its URL alone on stdout, tells what came in, and ends cleanly on Ctrl-C', async () => {
  const { child, output, exited, url } = await runUntilUrl('--port', '0');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
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

test('answers on when nobody reads its JSON lines any more', async () => {
  const { child, exited, url } = await runUntilUrl('--port', '0', '--json');
  child.stdout.destroy();
  for (let calls = 0; calls < 3; calls += 1) {
    expect((await fetch(`${url}/model`, { headers: key })).status).toBe(200);
  }
  child.kill('SIGINT');
  expect(await exited).toBe(0);
});

test('has port 4020 of this machine alone, and records settings, unless told otherwise', async () => {
  const { exited, output } = run('--help');
  expect(await exited).toBe(0);
  expect(output.stdout).toMatch(/default: 4020\).*default:\s+"127\.0\.0\.1"\).*default:\s+"settings"\)/s);
});

test.each([
  [['--port', '70000'], '--port'],
  [['--allow-origin', 'staging'], '--allow-origin'],
  [['--fault', 'status=200'], 'status=200'],
  [['--record', 'all'], 'settings, bodies'],
  [['--prot', '1'], 'did you mean --port?'],
  [['extra'], 'too many arguments'],
  [['--json', '--'], '-- npm test'],
])('refuses %j with 2 and names the option', async (words, reason) => {
  const { exited, output } = run(...words);
  expect(await exited).toBe(2);
  expect(output.stderr).toContain(reason);
});

const caller = (query: string, code = 0) => [
  '--',
  process.execPath,
  '--eval',
  `fetch(process.env.SPEECH_BASE_URL + '/model${query}', { headers: { authorization: 'Bearer ' + process.env.SPEECH_API_KEY } })
    .then(({ status }) => { console.log(status); process.exitCode = ${code}; })`,
];

test.each([
  { what: 'a good call', words: ['--fail-on-violation', ...caller('')], code: 0, out: '200\n' },
  {
    what: 'a violation that was asked for',
    words: ['--fail-on-violation', ...caller('?page_size=0')],
    code: 1,
    out: '422\n',
  },
  { what: 'a violation that was not asked for', words: caller('?page_size=0'), code: 0, out: '422\n' },
  { what: 'a command that fails', words: ['--fail-on-violation', ...caller('', 7)], code: 7, out: '200\n' },
])(
  'runs a command with its address and key, and ends with $code after $what',
  async ({ words, code, out }) => {
    const { exited, output } = run('--port', '0', ...words);
    expect(await exited).toBe(code);
    expect(output.stdout).toBe(out);
    expect(output.stderr.trimEnd().split('\n').at(-1)).toMatch(/^1 call, [01] against the specification\.$/);
  },
);

test('says what cannot be run', async () => {
  const { exited, output } = run('--port', '0', '--', 'speech-mock-no-such-program');
  expect(await exited).toBe(2);
  expect(output.stderr).toContain('speech-mock-no-such-program cannot be run');
});

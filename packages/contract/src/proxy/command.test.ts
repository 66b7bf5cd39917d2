import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { credit } from '../testing/exchanges.ts';
import { runCommand } from '../testing/run-command.ts';
import { answerJson, serve } from '../testing/serve.ts';
import { createTeller } from './command.ts';
import { call, keyOfTests } from './testing/between.ts';

const program = fileURLToPath(new URL('../bin.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'speech-contract-proxy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts the command and resolves once it listens. */
async function start(...words: string[]) {
  const child = spawn(process.execPath, [program, 'proxy', '--port', '0', ...words], {
    env: { ...process.env, GITHUB_ACTIONS: '' },
  });
  children.push(child);
  const out = text(child.stdout);
  let error = '';
  const listening = Promise.withResolvers<string>();
  child.stderr.on('data', (bytes: Buffer) => {
    error += bytes.toString();
    const url = /Listening on (\S+)/.exec(error)?.[1];
    if (url !== undefined) listening.resolve(url);
  });
  child.on('exit', () => listening.reject(new Error(error)));
  return {
    url: await listening.promise,
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      const [code] = await once(child, 'close');
      return { code, out: await out, error };
    },
  };
}

test.each(['SIGINT', 'SIGTERM'] as const)('ends with the reports at %s', async (signal) => {
  const wrong = credit({ user_id: 7, credit: keyOfTests });
  const upstream = await serve((_incoming, outgoing) => answerJson(outgoing, 200, wrong));
  const files = ['junit', 'sarif', 'json'].map(
    (format) => [format, join(folder, `${signal}.${format}`)] as const,
  );
  const proxy = await start(
    ...['--upstream', upstream, '--json'],
    ...files.flatMap(([format, file]) => ['--report', `${format}=${file}`]),
  );
  await call(`${proxy.url}/wallet/self/api-credit`);
  await call(`${proxy.url}/health`);
  const { code, out, error } = await proxy.end(signal);
  expect(code).toBe(1);
  const report = JSON.parse(out);
  expect(report).toMatchObject({ verdict: 'broken', proxy: { calls: 1, others: { 'GET /health': 1 } } });
  expect(error).toContain('error  field-type  call 1, getApiCredit /wallet/self/api-credit: ');
  expect(error).toContain('Your code: 0 errors and 0 warnings.');
  expect(error).toContain('Forwarded, but not of the API: GET /health.');
  const written = files.map(([, file]) => readFileSync(file, 'utf8'));
  expect(written[0]).toContain('<failure');
  expect(JSON.parse(written[1] ?? '').version).toBe('2.1.0');
  for (const each of [...written, out, error]) expect(each).not.toContain(keyOfTests);
});

test('ends with 0 where the contract is kept, and with 2 where nothing passed', async () => {
  const upstream = await serve((_incoming, outgoing) => answerJson(outgoing, 200, credit()));
  const good = await start('--upstream', upstream);
  await call(`${good.url}/wallet/self/api-credit`);
  const { code, out } = await good.end('SIGINT');
  expect(code).toBe(0);
  expect(out).toContain('The contract is kept in what was tried');
  const idle = await start('--upstream', upstream);
  expect((await idle.end('SIGTERM')).code).toBe(2);
});

test.each([
  [[], '--upstream is missing. Give the base address of the server: --upstream http://127.0.0.1:4010'],
  [['--upstream', 'http://127.0.0.1:9', '--port', 'x'], '--port must be a whole number from 0 to 65535'],
  [
    ['--upstream', 'http://127.0.0.1:9', '--max-body', '0'],
    '--max-body must be a whole number from 1 to 1024',
  ],
  [['--upstream', 'http://127.0.0.1:9', '--profile', 'half'], '--profile must be full or stateless'],
  [['http://127.0.0.1:9'], "Unexpected argument 'http://127.0.0.1:9'"],
])('says what would be right and ends with 2: %j', async (words, message) => {
  const { code, error } = await runCommand(['proxy', ...words]);
  expect(code).toBe(2);
  expect(error).toContain(message);
  expect(error).toContain('See speech-contract proxy --help.');
});

test('an error is said although a warning of the same rule was said before, and each only once', () => {
  const said: string[] = [];
  const tell = createTeller({ error: (text) => said.push(text) });
  const finding = {
    rule: 'request-header',
    message: 'wrong',
    section: '4.1',
    operationId: 'createSpeech',
  } as const;
  tell({ ...finding, severity: 'warning', exchange: 'call 2', where: 'header model' });
  tell({ ...finding, severity: 'error', exchange: 'call 3', where: 'header model' });
  tell({ ...finding, severity: 'error', exchange: 'call 4', where: 'header model' });
  tell({ ...finding, severity: 'error', exchange: 'call 5', where: 'header authorization' });
  expect(said.map((line) => line.match(/^(\w+).*(call \d)/)?.slice(1))).toEqual([
    ['warning', 'call 2'],
    ['error', 'call 3'],
    ['error', 'call 5'],
  ]);
});

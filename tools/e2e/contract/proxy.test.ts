import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { encode } from '@msgpack/msgpack';
import { type ProxyReport, startContractProxy } from '@speech-api/contract';
import { startSandbox } from '@speech-api/sandbox';
import type { OperationId } from '@speech-api/types';
import { audioFormats, headerNames } from '@speech-api/types/constants';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../mutants/catalogue/index.ts';
import { interferenceOf } from '../mutants/catalogue/interferences.ts';
import type { Kind, Mutant } from '../mutants/mutant.ts';
import { liveMessages } from '../mutants/proxy/live-client.ts';
import { type OpenBench, openBench, sandboxKey } from '../mutants/testing.ts';

const minutes = 60_000;

const vitest = join(dirname(fileURLToPath(import.meta.resolve('vitest/package.json'))), 'vitest.mjs');

/** The files in `test` that hold the client, in any of its packages, to a service. */
const suite = [
  ...['bad-input', 'errors', 'formats', 'needs-state', 'round-trip', 'rules', 'speakers', 'timestamps'],
  ...[
    'voices-and-wallet',
    'live',
    'recordings',
    'recordings-long-text',
    'ai-sdk',
    'workflows',
    'relay',
    'cli',
  ],
];

test('no test of the client notices the proxy, and it finds nothing wrong with the servers', {
  timeout: 30 * minutes,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'speech-proxy-'));
  const proxied = join(folder, 'reports');
  mkdirSync(proxied);
  try {
    const files = suite.map((name) => `test/${name}.test.ts`);
    const results = join(folder, 'tests.json');
    const words = [
      '--project',
      'sandbox',
      '--project',
      'others',
      '--reporter',
      'json',
      '--outputFile',
      results,
    ];
    // More time for each test than alone: judging takes the processor that the engine would have.
    const patience = ['--maxWorkers=1', '--testTimeout=180000', '--hookTimeout=180000'];
    const child = spawn(process.execPath, [vitest, 'run', ...words, ...patience, ...files], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, SPEECH_PROXY_REPORTS: proxied },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'close');
    const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
    const tests: readonly { status: string; title: string }[] = testResults.flatMap(
      ({ assertionResults }: { assertionResults: readonly object[] }) => assertionResults,
    );
    expect(testResults).toHaveLength(suite.length);
    expect(tests.length).toBeGreaterThan(150);
    expect(tests.filter(({ status }) => status !== 'passed').map(({ title }) => title)).toEqual([]);

    const reports = readdirSync(proxied).map(
      (file): ProxyReport => JSON.parse(readFileSync(join(proxied, file), 'utf8')),
    );
    expect(reports.reduce((sum, { proxy }) => sum + proxy.calls, 0)).toBeGreaterThan(300);
    expect(reports.map(({ proxy }) => proxy.broken.server)).toEqual(
      reports.map(() => ({ errors: 0, warnings: 0 })),
    );
    // The suite breaks the contract on purpose in these ways.
    const rules = reports.flatMap(({ findings }) => findings.map(({ rule }) => rule));
    expect([...new Set(rules)].sort()).toEqual([
      'request-fields',
      'request-has-key',
      'request-media-type',
      'request-rules',
    ]);
    expect(JSON.stringify(reports)).not.toContain(sandboxKey);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

let bench: OpenBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const json = { 'content-type': 'application/json' };
const words = 'The baker opens at six, and the first customers are already waiting.';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

const speak = (path: string, fields: object): Call => ({
  method: 'POST',
  path,
  headers: { ...json, [headerNames.model]: 's2-pro' },
  body: Buffer.from(JSON.stringify({ text: words, ...fields })),
});

/** The head and the body of an answer, without what differs from call to call. */
async function ask(url: string, { method, path, headers = {}, body }: Call) {
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const outgoing = request(url + path, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${sandboxKey}`, ...headers },
    });
    outgoing.on('response', resolve).on('error', reject).end(body);
  });
  const bytes = await buffer(answer);
  const changing = ['date', 'connection', 'keep-alive', headerNames.traceId];
  const head = Object.entries(answer.headers).filter(([name]) => !changing.includes(name));
  return { status: answer.statusCode, reason: answer.statusMessage, head, bytes };
}

test('the same request has the same bytes with the proxy and without it', {
  timeout: 5 * minutes,
}, async () => {
  const sandbox = await startSandbox({ port: 0 });
  const proxy = await startContractProxy({ upstream: sandbox.url, port: 0, deterministic: true });
  try {
    const spoken = await ask(sandbox.url, speak('/v1/tts', { format: 'wav' }));
    const calls: readonly Call[] = [
      ...audioFormats.map((format) => speak('/v1/tts', { format })),
      {
        ...speak('/v1/tts', {}),
        headers: { [headerNames.model]: 's2-pro', 'content-type': 'application/msgpack' },
        body: encode({ text: words }),
      },
      speak('/v1/tts/stream/with-timestamp', { format: 'opus' }),
      {
        method: 'POST',
        path: '/v1/asr',
        headers: { 'content-type': 'application/msgpack' },
        body: encode({ audio: spoken.bytes, ignore_timestamps: false }),
      },
      { method: 'GET', path: '/model?page_size=3' },
      { method: 'GET', path: '/model/nobody' },
      { method: 'HEAD', path: '/model' },
      { method: 'OPTIONS', path: '/v1/tts' },
      { method: 'GET', path: '/wallet/self/package', headers: { 'accept-encoding': 'gzip' } },
      { method: 'GET', path: '/v1/tts/live' },
      { ...speak('/v1/tts', {}), body: Buffer.from('{') },
    ];
    for (const call of calls) {
      const [direct, passed] = [await ask(sandbox.url, call), await ask(proxy.url, call)];
      expect({ ...passed, bytes: passed.bytes.length }).toEqual({ ...direct, bytes: direct.bytes.length });
      expect(passed.bytes.equals(direct.bytes)).toBe(true);
    }
    expect(await liveMessages(proxy.url)).toEqual(await liveMessages(sandbox.url));
  } finally {
    await proxy.close();
    await sandbox.close();
  }
});

/** What a client asks that uses the service as it should. */
const plainCalls: Partial<Record<OperationId, Call>> = {
  createSpeech: speak('/v1/tts', { format: 'wav' }),
  streamSpeechWithTimestamps: speak('/v1/tts/stream/with-timestamp', { format: 'wav' }),
  listModels: { method: 'GET', path: '/model' },
  getApiCredit: { method: 'GET', path: '/wallet/self/api-credit' },
  getPackage: { method: 'GET', path: '/wallet/self/package' },
};

/** One fault of each kind that plain calls show. */
const kinds: readonly Kind[] = [
  'field dropped',
  'field of another type',
  'field null',
  'media type',
  'header',
  'audio',
  'stream',
  'live session',
  'addition',
];

/** Of the kind, in the success of a call above; audio in its format, and of a session what the server says. */
function isPlain({ id, kind, topic, operation, rules }: Mutant): boolean {
  if (kind === 'audio') return id.startsWith('createSpeech: wav');
  if (kind === 'live session') return rules.includes('live-finish-reason');
  return topic === 'success' && operation in plainCalls;
}

const all = catalogue(sandboxKey);
const mutants = kinds.map((kind) => {
  const found = all.find((one) => one.kind === kind && isPlain(one));
  if (found === undefined) throw new Error(`no mutant of the kind ${kind} is seen in a plain call`);
  return found;
});

test.each(mutants)('its report names the fault of the server: $id', { timeout: minutes }, async (mutant) => {
  await bench.reset();
  const proxy = await startContractProxy({ upstream: bench.proxy.url, port: 0, deterministic: true });
  bench.proxy.interfere(interferenceOf(mutant));
  const call = plainCalls[mutant.operation];
  // What a fault does to the client is not the question here.
  if (call === undefined) await liveMessages(proxy.url).catch(() => {});
  else await ask(proxy.url, call).catch(() => {});
  const changes = bench.proxy.changes();
  bench.proxy.interfere();
  const { findings } = await proxy.close();
  expect(changes).toBeGreaterThan(0);
  const named = findings.map(({ rule }) => rule);
  expect(mutant.rules.filter((rule) => named.includes(rule))).not.toEqual([]);
});

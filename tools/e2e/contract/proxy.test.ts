import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProxyReport } from '@speech-api/contract';
import { expect, test } from 'vitest';
import { sandboxKey } from '../test/testing/use-sandbox.ts';

const minutes = 60_000;

const vitest = join(dirname(fileURLToPath(import.meta.resolve('vitest/package.json'))), 'vitest.mjs');

/** Files in `test` that hold the client to a service: every operation, a refusal of each kind, and a live session. */
const suite = ['bad-input', 'round-trip', 'speakers', 'timestamps', 'voices-and-wallet', 'live'];

test('no test of the client notices the proxy, and it finds nothing wrong with the servers', {
  timeout: 30 * minutes,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'speech-proxy-'));
  const proxied = join(folder, 'reports');
  mkdirSync(proxied);
  try {
    const files = suite.map((name) => `test/${name}.test.ts`);
    const words = ['--project', 'sandbox', '--project', 'others'];
    // More time for each test than alone: judging takes the processor that the engine would have.
    const patience = ['--maxWorkers=1', '--testTimeout=180000', '--hookTimeout=180000'];
    const child = spawn(process.execPath, [vitest, 'run', ...words, ...patience, ...files], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, SPEECH_PROXY_REPORTS: proxied, SUITE: 'proxied' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'close');
    const { testResults } = JSON.parse(
      readFileSync(new URL('../out/proxied-results.json', import.meta.url), 'utf8'),
    );
    const tests: readonly { status: string; title: string }[] = testResults.flatMap(
      ({ assertionResults }: { assertionResults: readonly object[] }) => assertionResults,
    );
    expect(testResults).toHaveLength(suite.length);
    expect(tests.length).toBeGreaterThan(30);
    expect(tests.filter(({ status }) => status !== 'passed').map(({ title }) => title)).toEqual([]);

    const reports = readdirSync(proxied).map(
      (file): ProxyReport => JSON.parse(readFileSync(join(proxied, file), 'utf8')),
    );
    expect(reports.reduce((sum, { proxy }) => sum + proxy.calls, 0)).toBeGreaterThan(50);
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

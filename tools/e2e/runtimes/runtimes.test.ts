import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningSandbox, startSandbox } from '@speech-api/sandbox';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium, missingChromium } from '../browser/testing/chromium.ts';
import { findNode20, findPackaged, type Runtime } from './testing/find-runtime.ts';
import { type InstalledProgram, installPacked } from './testing/install-packed.ts';

// The packages as they are published, in each runtime that their READMEs name, against the sandbox.

const run = promisify(execFile);
let sandbox: RunningSandbox;
let program: InstalledProgram;

beforeAll(async () => {
  program = await installPacked();
  sandbox = await startSandbox({ port: 0 });
});

afterAll(async () => {
  await sandbox?.close();
  program?.remove();
});

const node20 = findNode20();
const bun = findPackaged('bun', '@oven', 'bin/bun');
const deno = findPackaged('deno', '@deno', 'deno');
const workerd = findPackaged('workerd', '@cloudflare', 'bin/workerd');
const chromium: Runtime = { path: '', missing: missingChromium };
const denoPermissions = ['--no-remote', '--node-modules-dir=manual', '--allow-net=127.0.0.1', '--allow-env'];

const commands: [string, Runtime, string[], string][] = [
  ['the Node 20 of this machine', node20, [], 'command.mjs'],
  ['the Node 20 of this machine, with files', node20, [], 'files.mjs'],
  ['the Node of this workspace', { path: process.execPath, missing: undefined }, [], 'command.mjs'],
  ['Bun', bun, ['run'], 'command.mjs'],
  ['Deno', deno, ['run', ...denoPermissions], 'command.mjs'],
];

describe.each(commands)('%s', (_name, { path, missing }, options, file) => {
  test.skipIf(missing)(`runs the program${because(missing)}`, async () => {
    const { stdout, stderr } = await run(path, [...options, file, sandbox.url], {
      cwd: program.folder,
      env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1', NO_COLOR: '1' },
      timeout: 60_000,
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^works: /);
  });
});

describe('workerd', () => {
  test.skipIf(workerd.missing)(`runs the program as a worker${because(workerd.missing)}`, async () => {
    await bundle('worker.mjs', 'worker.bundle.mjs', ['workerd', 'worker', 'browser']);
    const child = spawn(workerd.path, ['serve', 'workerd.capnp', '--control-fd=1'], {
      cwd: program.folder,
      env: { ...process.env, BASE_URL: sandbox.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const port = await new Promise<number>((resolve, reject) => {
        child.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)));
        child.stdout.on('data', (line: Buffer) => {
          const listening = /"port":(\d+)/.exec(String(line));
          if (listening) resolve(Number(listening[1]));
        });
      });
      const response = await fetch(`http://127.0.0.1:${port}/`);
      expect(await response.text()).toMatch(/^works: /);
    } finally {
      child.kill();
    }
  });
});

describe('Chromium', () => {
  test.skipIf(chromium.missing)(`runs the program in a page${because(chromium.missing)}`, async () => {
    await bundle('smoke.mjs', 'smoke.bundle.mjs', ['browser']);
    const page = `<!doctype html><title>Smoke</title><script type="module">
      import { smoke } from '/smoke.bundle.mjs';
      window.outcome = smoke(${JSON.stringify(sandbox.url)}).catch((error) => String(error?.stack ?? error));
    </script>`;
    const server = createServer(({ url }, response) => {
      if (url === '/') response.setHeader('content-type', 'text/html').end(page);
      else if (url === '/smoke.bundle.mjs') {
        response
          .setHeader('content-type', 'text/javascript')
          .end(readFileSync(join(program.folder, 'smoke.bundle.mjs')));
      } else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await launchChromium();
    try {
      const tab = await browser.newPage();
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await tab.waitForFunction('window.outcome !== undefined');
      expect(await tab.evaluate('window.outcome')).toMatch(/^works: /);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

/** One file of the program and all it imports, for what cannot read packages by itself. */
async function bundle(entry: string, outfile: string, conditions: string[]): Promise<void> {
  await build({
    absWorkingDir: program.folder,
    entryPoints: [entry],
    outfile,
    conditions,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
}

function because(missing: string | undefined): string {
  return missing ? ` (${missing})` : '';
}

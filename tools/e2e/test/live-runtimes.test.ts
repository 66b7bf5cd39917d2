import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { findNode20, findPackaged, type Runtime } from '../runtimes/testing/find-runtime.ts';
import { root } from './testing/code-blocks.ts';
import { useService } from './testing/use-service.ts';

// The table in the README of live says what each runtime can do; here each of them is asked.

const run = promisify(execFile);
const service = useService('mock');
const programs = fileURLToPath(new URL('./live-program/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'live-runtimes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The rows of the table, by the names of the runtimes. */
const rows = new Map(
  [
    ...readFileSync(`${root}packages/live/README.md`, 'utf8').matchAll(
      /^\| (.+?) \| .+? \| .+? \| (.+?) \| (.+?) \|$/gm,
    ),
  ].map(([, name = '', refusal, pauses]) => [name, { refusal, pauses }]),
);

interface Facts {
  readonly spoken: readonly number[];
  readonly refusal: string;
  readonly pauses: boolean;
}

function expectFacts({ spoken, refusal, pauses }: Facts, name: string): void {
  expect(spoken[0]).toBeGreaterThan(1000);
  expect(spoken[1]).toBe(spoken[0]);
  expect({
    refusal:
      refusal === 'AuthenticationError' ? 'status and body' : refusal === 'ConnectionError' && 'hidden',
    pauses: pauses ? 'yes' : 'no',
  }).toEqual(rows.get(name));
}

async function bundle(
  entry: string,
  conditions: readonly string[],
  external: readonly string[] = [],
): Promise<string> {
  const outfile = join(folder, `${conditions[0]}.mjs`);
  await build({
    entryPoints: [programs + entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: conditions.includes('node') ? 'node' : 'neutral',
    conditions: [...conditions],
    mainFields: ['module', 'main'],
    external: [...external],
    // ws is CommonJS.
    ...(conditions.includes('node') && {
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    }),
    logLevel: 'error',
  });
  return outfile;
}

const current: Runtime = { path: process.execPath, missing: undefined };
const commands: readonly [string, string, Runtime, readonly string[], string][] = [
  ['Node 20', 'Node 20.19 and up', findNode20(), [], 'node'],
  ['this Node', 'Node 20.19 and up', current, [], 'node'],
  ['Bun', 'Bun, Deno', findPackaged('bun', '@oven', 'bin/bun'), ['run'], 'bun'],
  [
    'Deno',
    'Bun, Deno',
    findPackaged('deno', '@deno', 'deno'),
    ['run', '--no-remote', '--allow-net=127.0.0.1', '--allow-env'],
    'deno',
  ],
];

test.each(commands.filter(([, , { missing }]) => missing === undefined))(
  '%s does what the table says',
  async (_, row, { path }, options, condition) => {
    const file = await bundle('command.mjs', [condition]);
    const { stdout } = await run(path, [...options, file, service.url], {
      cwd: folder,
      env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1', NO_COLOR: '1' },
      timeout: 50_000,
    });
    expectFacts(JSON.parse(stdout) as Facts, row);
  },
);

test('workerd does what the table says', async () => {
  const workerd = findPackaged('workerd', '@cloudflare', 'bin/workerd');
  expect(workerd.missing).toBeUndefined();
  await bundle('worker.mjs', ['workerd']);
  writeFileSync(
    join(folder, 'live.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "workerd.mjs")],
      compatibilityDate = "2025-06-01",
      bindings = [(name = "BASE_URL", fromEnvironment = "BASE_URL")],
      globalOutbound = "loopback"
    )),
    (name = "loopback", network = (allow = ["local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`,
  );
  const child = spawn(workerd.path, ['serve', 'live.capnp', '--control-fd=1'], {
    cwd: folder,
    env: { ...process.env, BASE_URL: service.url },
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
    expectFacts((await response.json()) as Facts, 'workerd');
  } finally {
    child.kill();
  }
});

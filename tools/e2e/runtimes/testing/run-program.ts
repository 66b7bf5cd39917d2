import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { complete } from '@speech-api/config/suite';
import supported from '@speech-api/config/supported-versions' with { type: 'json' };
import { build } from 'esbuild';
import { findNode, findPackaged, type Runtime } from './find-runtime.ts';

const run = promisify(execFile);

const workerd = findPackaged('workerd');

export interface ServerRuntime {
  readonly name: string;
  /** True if it reads and writes files as Node does. */
  readonly hasFiles: boolean;
  readonly missing: string | undefined;
  /** Runs a program from the folder against a service. @returns its output */
  run(folder: string, program: 'program' | 'files', url: string): Promise<string>;
}

/** The first version of each Node that SUPPORT.md promises, the oldest first; in the complete run all of them. */
const nodes = supported.node.slice(0, complete ? undefined : 1).map(({ tested }) => {
  const version = tested.slice(1);
  return commandLine(`Node ${version.replace(/\.0$/, '')}`, findNode(version));
});

export const serverRuntimes: readonly ServerRuntime[] = [
  ...nodes,
  commandLine('Bun', findPackaged('bun'), ['run']),
  commandLine('Deno', findPackaged('deno'), [
    'run',
    '--no-remote',
    '--node-modules-dir=manual',
    // Nothing else: a variable that may not be read is as if it were not set.
    ...['--allow-net=127.0.0.1', '--allow-read=.', '--allow-write=.', '--no-prompt'],
  ]),
  { name: 'workerd', hasFiles: false, missing: workerd.missing, run: runWorker },
];

/** A runtime that runs a file with one argument and must not print warnings. */
function commandLine(
  name: string,
  { path, missing }: Runtime,
  options: readonly string[] = [],
): ServerRuntime {
  return {
    name,
    hasFiles: true,
    missing,
    async run(folder, program, url) {
      const { stdout, stderr } = await run(path, [...options, `${program}-command.mjs`, url], {
        cwd: folder,
        env: { ...process.env, DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1', NO_COLOR: '1' },
        timeout: 80_000,
      });
      if (stderr !== '') throw new Error(stderr);
      return stdout;
    },
  };
}

/** Runs a program as a worker, which gets the address as `TARGET` and answers. */
async function runWorker(folder: string, program: string, url: string): Promise<string> {
  // A worker cannot read packages, so they are bundled.
  await build({
    absWorkingDir: folder,
    entryPoints: [`${program}-worker.mjs`],
    outfile: 'worker.bundle.mjs',
    conditions: ['workerd', 'worker', 'browser'],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  const child = spawn(workerd.path, ['serve', 'workerd.capnp', '--control-fd=1'], {
    cwd: folder,
    env: { ...process.env, TARGET: url },
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
    return await response.text();
  } finally {
    child.kill();
  }
}

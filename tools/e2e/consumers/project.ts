import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Packed } from '@speech-api/run/packed';
import { findPackaged } from '../runtimes/testing/find-runtime.ts';

const execute = promisify(execFile);
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A folder of a user, outside of this repository, with our packages installed from a registry. */
export interface Project {
  readonly folder: string;
  /** Runs a program of `node_modules/.bin`, or of the machine; resolves with its output and throws with it, too. */
  run(program: string, args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<string>;
  /** Starts a server and resolves with the address that it prints on stdout. */
  serve(program: string, args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Served>;
  write(path: string, text: string): void;
  remove(): void;
}

/** A server that runs until it is disposed of. */
interface Served extends AsyncDisposable {
  readonly url: string;
}

/** Options for installing a project. */
export interface ProjectOptions {
  readonly packages: readonly Packed[];
  /** Address of the registry that has our packages. */
  readonly registry: string;
  /** Packages of others, with their versions. */
  readonly others?: Readonly<Record<string, string>>;
  readonly installer?: 'npm' | 'pnpm' | 'bun';
}

/** Makes an empty folder with the programs in it and installs. Packages of others come from the registry of the machine. */
export async function installProject({
  packages,
  registry,
  others = {},
  installer = 'npm',
}: ProjectOptions): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'speech-consumer-'));
  const ours = Object.fromEntries(packages.map(({ manifest }) => [manifest.name, `^${manifest.version}`]));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const inFolder = (environment: NodeJS.ProcessEnv) => ({
    cwd: folder,
    env: { ...bareEnvironment(join(folder, 'node_modules/.bin')), ...environment },
  });
  const run: Project['run'] = async (program, args, environment = {}) => {
    const { stdout, stderr } = await execute(program, [...args], {
      ...inFolder(environment),
      maxBuffer: 64_000_000,
      timeout: 240_000,
    }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(
        `${program} ${args.join(' ')} failed in ${folder}\n${error.stdout ?? ''}${error.stderr ?? error.message}`,
      );
    });
    return stdout + stderr;
  };
  const serve: Project['serve'] = async (program, args, environment = {}) => {
    // A group of its own, because a package manager starts the server as its child.
    const server = spawn(program, [...args], { ...inFolder(environment), detached: true });
    const ended = once(server, 'close');
    let printed = '';
    server.stderr.on('data', (text: Buffer) => {
      printed += text;
    });
    const url = await new Promise<string>((resolve, reject) => {
      server.once('error', reject);
      server.once('close', (code) =>
        reject(new Error(`${program} ${args.join(' ')} ended with ${code}\n${printed}`)),
      );
      server.stdout.on('data', (text: Buffer) => {
        const found = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(String(text))?.[0];
        if (found) resolve(found);
      });
    });
    return {
      url,
      async [Symbol.asyncDispose]() {
        if (server.exitCode === null && server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
        await ended;
      },
    };
  };
  const manifest = { private: true, type: 'module', dependencies: { ...ours, ...others } };
  write('package.json', JSON.stringify(manifest, undefined, 2));
  write('.npmrc', `@speech-api:registry=${registry}\n`);
  for (const source of ['../runtimes/program/', 'program/']) {
    cpSync(fileURLToPath(new URL(source, import.meta.url)), folder, { recursive: true });
  }
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (installer === 'pnpm') {
      await run(join(root, 'node_modules/.bin/pnpm'), [
        'install',
        '--ignore-scripts',
        '--no-frozen-lockfile',
      ]);
    } else if (installer === 'bun') {
      await run(programOf('bun'), ['install', '--ignore-scripts']);
    } else {
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']);
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, run, serve, write, remove };
}

/** A runtime as this repository has it. */
export function programOf(name: 'bun' | 'deno'): string {
  const { path, missing } =
    name === 'bun' ? findPackaged('bun', '@oven', 'bin/bun') : findPackaged('deno', '@deno', 'deno');
  if (missing !== undefined) throw new Error(missing);
  return path;
}

/** Environment of a user's login, with nothing of this workspace on the path. */
function bareEnvironment(bin: string): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules') && !entry.includes('node-gyp-bin'));
  const kept = ['HOME', 'CI', 'NODE_EXTRA_CA_CERTS', 'TMPDIR'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return {
    ...Object.fromEntries(kept),
    PATH: [bin, ...path].join(delimiter),
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
  };
}

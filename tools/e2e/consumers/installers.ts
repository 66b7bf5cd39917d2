import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import supported from '@speech-api/config/supported-versions' with { type: 'json' };
import type { Packed } from '@speech-api/run/packed';
import { installedProgram } from '@speech-api/run/program';
import { findNode, findPackaged } from '../runtimes/testing/find-runtime.ts';
import { codeBlocks, root } from '../test/testing/code-blocks.ts';

const require = createRequire(import.meta.url);
const isWindows = process.platform === 'win32';

/** A package manager: the words that install a project, start a command of it, and run a file in it. */
interface Installer {
  readonly install: readonly string[];
  readonly start: readonly string[];
  readonly node: readonly string[];
}

const pnpm = join(root, 'node_modules/.bin/pnpm');
const yarn = ['node', require.resolve('yarn/bin/yarn.js')] as const;
const bun = findPackaged('bun').path;

export const installers = {
  npm: {
    install: [
      ...['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'],
      // By default npm waits 70 s for each package before it says why a registry does not answer.
      ...['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'],
    ],
    start: ['npx', '--no', '--'],
    node: ['node'],
  },
  pnpm: {
    install: [pnpm, 'install', '--no-frozen-lockfile'],
    start: [pnpm, 'exec'],
    node: ['node'],
  },
  'yarn-1': { install: [...yarn, 'install'], start: [...yarn, '--silent', 'run'], node: ['node'] },
  bun: { install: [bun, 'install'], start: [bun, 'run'], node: ['node'] },
} satisfies Record<string, Installer>;

export const oldestNode = (): string => findNode(supported.node[0]?.tested ?? '').path;

export function sampleOf(readme: string, mark: string): string {
  const [block] = codeBlocks([readme]).filter(({ marks }) => marks.includes(mark));
  if (block === undefined) throw new Error(`${readme} has no sample for ${mark}`);
  return block.code;
}

export interface Installation {
  /** `npm` by default. */
  readonly installer?: keyof typeof installers;
  /** The packages of this repository that it depends on. */
  readonly packages: readonly Packed[];
  readonly others?: Readonly<Record<string, string>>;
  /** Folder of the Node that everything runs on; the Node of this process by default. */
  readonly node?: string;
  readonly options?: readonly string[];
}

/** A folder of a user, outside of this repository, with our packages installed from a registry. */
export interface Project {
  readonly folder: string;
  /** Runs a program of the project or the machine; resolves with its output and throws with it, too. */
  run(command: readonly string[], environment?: NodeJS.ProcessEnv, folder?: string): Promise<string>;
  /** Starts a server and resolves with the address that it prints on stdout. */
  serve(command: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Served>;
  write(path: string, content: string | Uint8Array): void;
  remove(): void;
}

export interface Served extends AsyncDisposable {
  readonly url: string;
}

/** Makes an empty folder with the programs in it and installs. Packages of others come from the registry of the machine. */
export async function installProject(installation: Installation, registry: string): Promise<Project> {
  const { installer = 'npm', packages, others = {}, options = [] } = installation;
  const project = emptyProject(installation.node);
  const { install }: Installer = installers[installer];
  const ours = Object.fromEntries(packages.map(({ manifest }) => [manifest.name, `^${manifest.version}`]));
  const manifest = { private: true, type: 'module', dependencies: { ...ours, ...others } };
  project.write('package.json', JSON.stringify(manifest, undefined, 2));
  project.write('.npmrc', `@speech-api:registry=${registry}\n`);
  for (const source of ['../runtimes/program/', 'program/'])
    cpSync(fileURLToPath(new URL(source, import.meta.url)), project.folder, { recursive: true });
  try {
    await project.run([...install, ...options]);
  } catch (error) {
    project.remove();
    throw error;
  }
  return project;
}

export function emptyProject(node = dirname(process.execPath)): Project {
  const folder = mkdtempSync(join(tmpdir(), 'speech-consumer-'));
  const settingsFor = (environment: NodeJS.ProcessEnv) => ({
    cwd: folder,
    env: { ...bareEnvironment([join(folder, 'node_modules/.bin'), node], folder), ...environment },
  });
  return {
    folder,
    async run(command, environment = {}, cwd = folder) {
      const [program, args, shell] = programOf(command);
      const limits = { maxBuffer: 64_000_000, timeout: 300_000 };
      const settings = { ...settingsFor(environment), ...shell, ...limits, cwd };
      const { stdout, stderr } = await promisify(execFile)(program, args, settings).catch(
        ({ stdout = '', stderr, message }: { stdout?: string; stderr?: string; message: string }) => {
          throw new Error(`${command.join(' ')} failed in ${cwd}\n${stdout}${stderr || message}`);
        },
      );
      return stdout + stderr;
    },
    async serve(command, environment = {}) {
      const [program, args, shell] = programOf(command);
      // A group of its own, because a package manager starts the server as its child.
      const server = spawn(program, args, { ...settingsFor(environment), ...shell, detached: !isWindows });
      const ended = once(server, 'close');
      let printed = '';
      server.stderr.on('data', (text: Buffer) => {
        printed += text;
      });
      const url = await new Promise<string>((resolve, reject) => {
        server.once('error', reject);
        server.once('close', (code) =>
          reject(new Error(`${command.join(' ')} ended with ${code}\n${printed}`)),
        );
        server.stdout.on('data', (text: Buffer) => {
          const found = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(String(text))?.[0];
          if (found) resolve(found);
        });
      });
      return {
        url,
        async [Symbol.asyncDispose]() {
          if (server.exitCode === null && server.pid !== undefined) endTree(server.pid);
          await ended;
        },
      };
    },
    write(path, content) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Only what npm installs is a script on Windows; a program by its path starts without a shell. */
const programOf = ([program = '', ...args]: readonly string[]) =>
  installedProgram(program, args, program.endsWith('.exe') || program === 'node' ? 'linux' : undefined);

function endTree(pid: number): void {
  if (isWindows) spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
  else process.kill(-pid, 'SIGTERM');
}

/** Environment of a user's login, with nothing of this workspace on the path but these folders. */
function bareEnvironment(first: readonly string[], folder: string): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules') && !entry.includes('node-gyp-bin'));
  const kept = [
    'HOME',
    'CI',
    'NODE_EXTRA_CA_CERTS',
    'TMPDIR',
    'SystemRoot',
    'APPDATA',
    'USERPROFILE',
    'TEMP',
  ];
  return {
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    PATH: [...first, ...path].join(delimiter),
    // It keeps packages by version, and that of ours stays the same while they change.
    BUN_INSTALL_CACHE_DIR: join(folder, '.bun'),
    DO_NOT_TRACK: '1',
    DENO_NO_UPDATE_CHECK: '1',
    YARN_ENABLE_TELEMETRY: '0',
    NEXT_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
  };
}

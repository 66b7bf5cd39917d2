import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A clone of what is committed, an empty home, and the machine's own Node: what a newcomer has. */
export interface FreshClone {
  readonly directory: string;
  run(command: string): Promise<{ code: number | null; stdout: string; stderr: string; seconds: number }>;
  start(command: string): ChildProcess;
  remove(): void;
}

export function freshClone(): FreshClone {
  const base = mkdtempSync(join(tmpdir(), 'fresh-clone-'));
  const directory = join(base, 'clone');
  execFileSync('git', ['clone', '--quiet', `file://${root}`, directory]);
  execFileSync('mkdir', [join(base, 'home')]);
  const environment = bareEnvironment(join(base, 'home'));
  const start = (command: string) =>
    // A process group of its own, so that a Ctrl-C can be sent to all of it, as a terminal does.
    spawn('sh', ['-c', command], {
      cwd: directory,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    directory,
    start,
    run(command) {
      const began = performance.now();
      const child = start(command);
      let stdout = '';
      let stderr = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      return new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('close', (code) =>
          resolve({ code, stdout, stderr, seconds: (performance.now() - began) / 1000 }),
        );
      });
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** Only what a new login has, and a store of packages; the repository's own `node_modules/.bin` is taken off the path. */
function bareEnvironment(home: string): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules') && !entry.includes('node-gyp-bin'))
    .join(delimiter);
  const kept: NodeJS.ProcessEnv = { PATH: path, HOME: home };
  // What a run does where CI is set it does in the clone, too.
  if (process.env.CI !== undefined) kept.CI = process.env.CI;
  // Machines behind a company's own certificate authority name it here; without it nothing can be installed.
  if (process.env.NODE_EXTRA_CA_CERTS !== undefined) {
    kept.NODE_EXTRA_CA_CERTS = process.env.NODE_EXTRA_CA_CERTS;
  }
  // The packages that this repository's own install has fetched are not fetched again.
  kept.npm_config_store_dir = execFileSync('pnpm', ['store', 'path'], { cwd: root, encoding: 'utf8' }).trim();
  return kept;
}

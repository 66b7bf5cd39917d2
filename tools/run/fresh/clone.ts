import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';

// A newcomer's setup: a clone of the last commit, an empty home, and the machine's own Node.

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const base = mkdtempSync(join(tmpdir(), 'fresh-clone-'));
export const clone = join(base, 'clone');
beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', `file://${root}`, clone]);
  mkdirSync(join(base, 'home'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The environment of a new login, with a package store; the repository's own `node_modules/.bin` is not on the path. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules') && !entry.includes('node-gyp-bin'))
    .join(delimiter);
  // CI has the same meaning in the clone. The certificates are those of a company's own authority.
  const { CI, NODE_EXTRA_CA_CERTS } = process.env;
  // The packages that this repository's own install has fetched are not fetched again.
  const store = execFileSync('pnpm', ['store', 'path'], { cwd: root, encoding: 'utf8' }).trim();
  return { PATH: path, HOME: join(base, 'home'), CI, NODE_EXTRA_CA_CERTS, npm_config_store_dir: store };
}

/** Starts a command in the clone; each printed line has the second at which it came. */
export function start(command: string) {
  // The command has its own process group, so that a Ctrl-C reaches all of it, as in a terminal.
  const child = spawn('sh', ['-c', command], {
    cwd: clone,
    env: bareEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const began = performance.now();
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    createInterface({ input: child[name] }).on('line', (line) => {
      printed[name] += `${line}\n`;
      process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1)} s  ${line}\n`);
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...printed }));
  /** Waits for a pattern in the output and resolves to its first group. */
  const find = async (pattern: RegExp): Promise<string> => {
    await expect.poll(() => pattern.exec(printed.stdout)?.[1], { timeout: 840_000 }).toBeDefined();
    return pattern.exec(printed.stdout)?.[1] ?? '';
  };
  return { child, printed, ended, find };
}

export async function succeed(command: string) {
  const { code, stdout, stderr } = await start(command).ended;
  expect(code, (stdout + stderr).slice(-4000)).toBe(0);
  return { stdout, stderr };
}

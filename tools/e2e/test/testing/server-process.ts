import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const binaries = {
  sandbox: '../../../../apps/sandbox/dist/bin.js',
  mock: '../../../../packages/mock/dist/bin.js',
  prism: '../../node_modules/@stoplight/prism-cli/dist/index.js',
} as const;

/** A server as users run it: a separate process that can be killed. */
export interface ServerProcess {
  readonly url: string;
  /** Process ids of its living children: the engines of a sandbox. */
  engines(): number[];
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts a server on a free port and waits until it prints its address. */
export async function startServerProcess(
  name: keyof typeof binaries,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const binary = fileURLToPath(new URL(binaries[name], import.meta.url));
  const child = spawn(process.execPath, [binary, ...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const [address] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('close', (code) => reject(new Error(`The ${name} ended with ${code} before it listened.`)));
  });
  return {
    url,
    engines: () => childrenOf(child.pid),
    async kill(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const closed = once(child, 'close');
        child.kill(signal);
        await closed;
      }
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

function childrenOf(pid: number | undefined): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && state?.startsWith('Z') === false)
    .map(([id]) => Number(id));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

function programOf(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

/** The program of the sandbox. */
export const sandboxBinary: string = programOf('apps/sandbox/dist/bin.js');

/** The program of the mock. */
export const mockBinary: string = programOf('packages/mock/dist/bin.js');

/** The sandbox as its users run it: a process of its own, which can be killed. */
export interface SandboxProcess {
  readonly url: string;
  readonly pid: number;
  /** Process ids of the engines that it has started and that are still alive. */
  engines(): number[];
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Program, working directory and log of a sandbox process. */
export interface SandboxSurroundings {
  /** @defaultValue the sandbox */
  readonly binary?: string;
  /** The working directory. @defaultValue that of the test */
  readonly directory?: string;
  /** Beside the environment of the test. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Takes the log, line by line. */
  readonly onLog?: (line: string) => void;
}

export async function startSandboxProcess(
  args: readonly string[] = [],
  { binary = sandboxBinary, directory, environment, onLog }: SandboxSurroundings = {},
): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [binary, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', onLog === undefined ? 'ignore' : 'pipe'],
    ...(directory === undefined ? {} : { cwd: directory }),
    env: { ...process.env, ...environment },
  });
  if (child.stderr && onLog) createInterface({ input: child.stderr }).on('line', onLog);
  const url = await firstUrl(child);
  const pid = child.pid;
  if (pid === undefined) throw new Error('the sandbox has no process id');
  return {
    url,
    pid,
    engines: () => childrenOf(pid),
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) {
        return { code: child.exitCode, signal: child.signalCode };
      }
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

/** A sandbox that says what memory it uses. What it holds beyond that, V8 and malloc give back when they like. */
export async function startMeasured(): Promise<{
  sandbox: SandboxProcess;
  usedBytes: () => Promise<number>;
}> {
  let onUsed: (bytes: number) => void = () => {};
  const probe = fileURLToPath(new URL('report-memory.cjs', import.meta.url));
  const sandbox = await startSandboxProcess([], {
    environment: { NODE_OPTIONS: `--expose-gc --require ${probe}` },
    onLog: (line) => {
      const used = /^\{"usedBytes":(\d+)\}$/.exec(line);
      if (used) onUsed(Number(used[1]));
    },
  });
  const usedBytes = () =>
    new Promise<number>((resolve) => {
      onUsed = resolve;
      process.kill(sandbox.pid, 'SIGUSR2');
    });
  return { sandbox, usedBytes };
}

async function firstUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('stdout is not a pipe');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('http')) return line.trim();
  }
  throw new Error(`the sandbox ended before it printed its URL (exit code ${child.exitCode})`);
}

function childrenOf(pid: number): number[] {
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

/** Resident memory in bytes. */
export function memoryOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}

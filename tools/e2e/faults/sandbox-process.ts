import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

function programOf(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

export const sandboxBinary: string = programOf('apps/sandbox/dist/bin.js');

export const mockBinary: string = programOf('packages/mock/dist/bin.js');

export const relayBinary: string = programOf('packages/relay/dist/bin.js');

/** What a measured process holds after it has collected what nobody needs. */
export interface Report {
  readonly usedBytes: number;
  /** Resident memory: V8 and malloc give it back when they like. */
  readonly heldBytes: number;
  readonly files: number;
  readonly handles: number;
  /** Longest delay of the event loop since the last report. */
  readonly delayMilliseconds: number;
}

/** A server as its users run it: a process of its own, which can be killed. */
export interface SandboxProcess {
  /** The first line that it prints. */
  readonly url: string;
  readonly pid: number;
  /** Process ids of the engines that it has started and that are still alive. */
  engines(): number[];
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends a message to a measured process and resolves to its answer. */
  ask<Answer = Report>(message: string): Promise<Answer>;
}

/** Working directory, environment and log of a process. */
export interface Surroundings {
  /** The working directory. @defaultValue that of the test */
  readonly directory?: string;
  /** Beside the environment of the test. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly onLog?: (line: string) => void;
  /** Lets `ask('report')` measure the process. */
  readonly isMeasured?: boolean;
}

const reporter = new URL('soak/report.mjs', import.meta.url).href;

/** Starts the sandbox, or another server with the same options. */
export function startSandboxProcess(
  args: readonly string[] = [],
  { binary = sandboxBinary, ...surroundings }: Surroundings & { readonly binary?: string } = {},
): Promise<SandboxProcess> {
  return startProcess([binary, '--port', '0', ...args], surroundings);
}

export async function startProcess(
  command: readonly string[],
  { directory, environment, onLog, isMeasured = false }: Surroundings = {},
): Promise<SandboxProcess> {
  const measuring = isMeasured ? ['--expose-gc', '--import', reporter] : [];
  const child = spawn(process.execPath, [...measuring, ...command], {
    stdio: ['ignore', 'pipe', onLog ? 'pipe' : 'ignore', isMeasured ? 'ipc' : 'ignore'],
    ...(directory === undefined ? {} : { cwd: directory }),
    env: { ...process.env, ...environment },
  });
  if (child.stderr && onLog) createInterface({ input: child.stderr }).on('line', onLog);
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) throw new Error(`${command[0]} cannot be started`);
  const lines = createInterface({ input: stdout });
  const [url] = await Promise.race([once(lines, 'line'), once(child, 'close')]);
  if (typeof url !== 'string')
    throw new Error(`${command[0]} ended before it printed a line (exit code ${url})`);
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
    async ask(message) {
      const answered = once(child, 'message');
      child.send(message);
      const [answer] = await answered;
      return answer;
    },
  };
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

export function memoryOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}

import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { holdLock } from '../lock.mjs';

/** The service that speaks, and the engine that it starts as a process of its own. */
export const speakingWorkspaces = ['@speech-api/sandbox', '@speech-api/engine-espeak'];

/** On Windows the programs of node_modules/.bin are .cmd files, which only a shell starts. */
const shell = process.platform === 'win32';

/** Runs turbo, with everything it prints on the given stream, and resolves to its exit code. */
export function turbo(
  args: readonly string[],
  output: 'inherit' | 'ignore' | NodeJS.WriteStream = 'inherit',
): Promise<number> {
  return run('turbo', args, { stdio: ['ignore', output, 'inherit'], shell });
}

/** Builds the named workspaces and what they depend on, or everything; resolves to whether all of it was built. */
export async function build(workspaces: readonly string[] = []): Promise<boolean> {
  const unlock = await holdLock();
  try {
    const filters = workspaces.map((workspace) => `--filter=${workspace}`);
    const args = ['run', 'build', '--output-logs=errors-only', ...filters];
    const code = (await isBuilt(args)) ? await turbo(args, 'ignore') : await turbo(args, process.stderr);
    if (code !== 0) process.stderr.write('The build failed; the reason is above.\n');
    return code === 0;
  } finally {
    unlock();
  }
}

/** Whether the cache has every task of a run, so that the run only lays files out and has nothing to tell. */
async function isBuilt(args: readonly string[]): Promise<boolean> {
  const plan = await promisify(execFile)('turbo', [...args, '--dry=json'], {
    shell,
    maxBuffer: 64_000_000,
  }).catch(() => undefined);
  if (plan === undefined) return false;
  const { tasks } = JSON.parse(plan.stdout) as { tasks: { command: string; cache: { status: string } }[] };
  return tasks.every(({ command, cache }) => command === '<NONEXISTENT>' || cache.status === 'HIT');
}

/** Runs a program of the repository on this Node and resolves to its exit code. */
export function runProgram(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return run(process.execPath, args, { stdio: 'inherit', env: environment });
}

/** Ctrl-C reaches the whole process group, so the child ends by itself and this waits for it; SIGTERM is passed on. */
export function run(command: string, args: readonly string[], options: SpawnOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    const ignore = () => {};
    const pass = () => child.kill('SIGTERM');
    process.on('SIGINT', ignore);
    process.on('SIGTERM', pass);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', pass);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

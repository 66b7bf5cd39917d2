import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { helpOf } from '../help.mjs';
import { holdLock } from '../lock.mjs';
import { installedProgram } from '../program.mjs';

/** The service that speaks, and the engine that it starts as a process of its own. */
export const speakingWorkspaces = ['@speech-api/sandbox', '@speech-api/engine-espeak'];

/** Everything that is published, with the specification that all of it depends on. */
export const publishedWorkspaces = ['./packages/*', '@speech-api/cli', ...speakingWorkspaces];

/** The options of a command; undefined if they are wrong, after the reason and the help of the command were printed. */
export function readOptions<Options>(
  command: Parameters<typeof helpOf>[0],
  parse: () => Options,
): Options | undefined {
  try {
    return parse();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${helpOf(command)}`);
    return undefined;
  }
}

/** @throws Error for an invalid port */
export function portOf(option: string, text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new Error(`--${option} is "${text}"; use a port from 0 to 65535.`);
}

/** Aborts at Ctrl-C or a request to end. A second Ctrl-C ends the process at once, whatever is still closing. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** Prints the notes in the sandbox's log, such as an unknown model, and no other lines. */
export function showNote(line: string): void {
  const [, note] = /^[A-Z]+ \S+ .* note (.+)$/.exec(line) ?? [];
  if (note !== undefined) process.stderr.write(`Sandbox: ${note}\n`);
}

/** Runs turbo, with everything it prints on the given stream, and resolves to its exit code. */
export function turbo(
  args: readonly string[],
  output: 'inherit' | 'ignore' | NodeJS.WriteStream = 'inherit',
): Promise<number> {
  const [program, words, shell] = installedProgram('turbo', args);
  return run(program, words, { stdio: ['ignore', output, 'inherit'], ...shell });
}

/**
 * Builds the named workspaces and what they depend on, or everything; resolves to whether all of it was built.
 * Each package that has to be built is named on stderr; where the cache has everything, nothing is printed.
 */
export async function build(workspaces: readonly string[] = []): Promise<boolean> {
  const unlock = await holdLock();
  try {
    const filters = workspaces.map((workspace) => `--filter=${workspace}`);
    const args = ['run', 'build', ...filters];
    const total = await countMissing(args);
    const code = total === 0 ? await turbo(args, 'ignore') : await buildAloud(args, total);
    if (code !== 0) process.stderr.write('The build did not finish.\n');
    return code === 0;
  } finally {
    unlock();
  }
}

/** The workspaces in the options `--filter=NAME` of a command; none means all of them. */
export function filtersIn(args: readonly string[]): string[] {
  return args.flatMap((word) => /^--filter=(.+)/.exec(word)?.[1] ?? []);
}

/** Builds into empty folders: the cache restores files beside those of an earlier build, which would be packed, too. */
export async function buildEmptied(workspaces: readonly string[]): Promise<boolean> {
  const folders = globSync('{spec,packages/*,apps/*,apps/sandbox/engines/*}/dist');
  for (const folder of folders) rmSync(folder, { recursive: true });
  return build(workspaces);
}

/** Counts the tasks that are not in the cache. */
async function countMissing(args: readonly string[]): Promise<number> {
  const [program, words, shell] = installedProgram('turbo', [...args, '--dry=json']);
  const plan = await promisify(execFile)(program, words, { ...shell, maxBuffer: 64_000_000 });
  const { tasks } = JSON.parse(plan.stdout) as { tasks: { command: string; cache: { status: string } }[] };
  return tasks.filter(({ command, cache }) => command !== '<NONEXISTENT>' && cache.status !== 'HIT').length;
}

/** Prints what turbo says of its tasks, and of those that fail, everything. */
function buildAloud(args: readonly string[], total: number): Promise<number> {
  process.stderr.write(`Building ${total} package${total === 1 ? '' : 's'} ...\n`);
  return turbo([...args, '--output-logs=errors-only'], process.stderr);
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
  const child = spawn(command, args, options);
  return new Promise((resolve, reject) => {
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

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installedProgram } from '../program.mjs';
import {
  build,
  buildEmptied,
  filtersIn,
  publishedWorkspaces,
  run,
  runProgram,
  speakingWorkspaces,
  turbo,
} from './processes.ts';

/** A command receives the arguments after its name and returns an exit code. */
type Command = (args: readonly string[]) => Promise<number>;

/** Everything that `npm run` offers. A command that is more than a build and a program is loaded when it is called. */
const commands: Readonly<Record<string, Command>> = {
  start: async (args) => (await import('./start.ts')).start(args),
  demo: async (args) => (await import('./demo.ts')).demo(args),
  try: async (args) => (await import('./try.ts')).tryFile(args),
  registry: async (args) => (await import('./registry.ts')).registry(args),
  test: async (args) => (await import('./test.ts')).runTests(args),
  'test:full': async (args) => (await import('./test.ts')).runFullTests(args),
  generate: () => turbo(['run', 'generate', '--output-logs=new-only']),
  api,
  release,
  sandbox: program(speakingWorkspaces, ['apps/sandbox/dist/bin.js']),
  speech,
  mock: program(['@speech-api/mock'], ['packages/mock/dist/bin.js']),
  prism: program(
    ['@speech-api/spec'],
    ['tools/run/node_modules/@stoplight/prism-cli/dist/index.js', 'mock', 'spec/dist/openapi-3.1.json'],
  ),
  relay: program(['@speech-api/relay'], ['packages/relay/dist/bin.js']),
  contract: program(['@speech-api/contract'], ['packages/contract/dist/bin.js'], 2),
  diff: program(['@speech-api/spec'], ['tools/diff/src/main.ts'], 2),
  bench: program(
    [...speakingWorkspaces, '@speech-api/client', '@speech-api/live'],
    ['--expose-gc', 'tools/bench/src/main.ts'],
  ),
  // For developers of this repository: turbo with the runner's environment.
  turbo,
};

/**
 * Builds what a program needs and hands over to it: stdout and the exit code are the program's own.
 * `failure` is the exit code when the build fails, where 1 already means something to the program's callers.
 */
function program(workspaces: readonly string[], program: readonly string[], failure = 1): Command {
  return async (args) => ((await build(workspaces)) ? await runProgram([...program, ...args]) : failure);
}

/** Rewrites the API reports of the packages that a filter names, or of all. */
async function api(args: readonly string[]): Promise<number> {
  const filters = filtersIn(args);
  const workspaces = filters.length > 0 ? filters : publishedWorkspaces;
  return program(workspaces, ['tools/release/src/api-reports.ts'])(filters);
}

/** Packages are built into empty folders before they are packed, if the registry that they are for answers. */
async function release(args: readonly string[]): Promise<number> {
  const options = { to: { type: 'string' } } as const;
  const { to } = parseArgs({ args: [...args], options, strict: false }).values;
  if (typeof to === 'string' && !isReachable(to)) return 1;
  if (!(await buildEmptied(publishedWorkspaces))) return 1;
  return runProgram(['tools/release/src/main.ts', ...args]);
}

/** Any answer will do: a registry may lack the ping. npm asks, because it knows the proxy of a company. */
function isReachable(registry: string): boolean {
  const args = ['ping', '--registry', registry, '--fetch-retries', '0', '--fetch-timeout', '10000'];
  const [npm, words, shell] = installedProgram('npm', args);
  const { status, stderr } = spawnSync(npm, words, { encoding: 'utf8', ...shell });
  if (status === 0 || /code E\d{3}\b/.test(stderr)) return true;
  const remedy = 'Correct the address after --to, or your network.';
  process.stderr.write(`${stderr}\n${registry} does not answer; nothing was built or published. ${remedy}\n`);
  return false;
}

/** The `speech` command of this clone. stdin, stdout and the exit code are its own. */
async function speech(args: readonly string[]): Promise<number> {
  if (!(await build(['@speech-api/cli']))) return 1;
  // npm runs scripts in the root, but file names are relative to the caller's folder.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  return run(process.execPath, [resolve('apps/cli/dist/speech.js'), ...args], { stdio: 'inherit', cwd });
}

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  process.stderr.write(`Unknown command "${name}". Use one of ${Object.keys(commands).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await command(args);
}

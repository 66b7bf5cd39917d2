import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { build } from '../turbo.ts';

/** The `speech` command of this clone: see `apps/cli`. stdin, stdout and the exit code are its own. */
export async function run(args: readonly string[]): Promise<number> {
  if (!(await build(['@speech-api/cli']))) return 1;
  const child = spawn(process.execPath, [resolve('apps/cli/dist/speech.js'), ...args], {
    stdio: 'inherit',
    // npm runs a script in the root; the caller's files are where the caller is.
    cwd: process.env.INIT_CWD ?? process.cwd(),
  });
  // A terminal sends Ctrl-C to the whole group; `speech` then takes its unfinished file away, and this waits for it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', (signal) => child.kill(signal));
  return await new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done(code ?? 1));
  });
}

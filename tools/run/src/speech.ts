import { resolve } from 'node:path';
import { build, run } from './processes.ts';

/** The `speech` command of this clone: see `apps/cli`. stdin, stdout and the exit code are its own. */
export async function speech(args: readonly string[]): Promise<number> {
  if (!(await build(['@speech-api/cli']))) return 1;
  // npm runs a script in the root; the caller's files are where the caller is.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  return await run(process.execPath, [resolve('apps/cli/dist/speech.js'), ...args], {
    stdio: 'inherit',
    cwd,
  });
}

import { spawn } from 'node:child_process';
import { build, speakingWorkspaces } from '../turbo.ts';

/** Measures, each row beside its reference: see `tools/bench`. Its stdout is the table, or JSON with `--json`. */
export async function run(args: readonly string[]): Promise<number> {
  if (!(await build([...speakingWorkspaces, '@speech-api/client']))) return 1;
  const child = spawn(process.execPath, ['--expose-gc', 'tools/bench/src/main.ts', ...args], {
    stdio: 'inherit',
  });
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

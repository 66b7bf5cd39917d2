import { spawn } from 'node:child_process';
import { build } from '../turbo.ts';

/** May this change of the specification ship? See `tools/diff`. Its stdout is the verdict, or JSON with `--json`. */
export async function run(args: readonly string[]): Promise<number> {
  if (!(await build(['@speech-api/spec']))) return 2;
  const child = spawn(process.execPath, ['tools/diff/src/main.ts', ...args], { stdio: 'inherit' });
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 2));
  });
}

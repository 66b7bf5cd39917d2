import { spawn } from 'node:child_process';
import { build } from '../turbo.ts';

/**
 * The mock alone: see `packages/mock`. Its stdout and its exit code are those of `speech-mock`; everything said on the way
 * there goes to stderr.
 */
export async function run(args: readonly string[]): Promise<number> {
  if (!(await build(['@speech-api/mock']))) return 1;
  const child = spawn(process.execPath, ['packages/mock/dist/bin.js', ...args], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group; a supervisor sends SIGTERM to us alone.
  process.on('SIGTERM', (signal) => child.kill(signal));
  process.on('SIGINT', () => {});
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

import { spawn } from 'node:child_process';
import { build } from '../turbo.ts';

/**
 * Judges whether a server, or recorded traffic, keeps the contract: see `packages/contract`.
 * Its stdout and its exit code are those of `speech-contract`: 0 kept, 1 violations, 2 could not judge.
 */
export async function run(args: readonly string[]): Promise<number> {
  if (!(await build(['@speech-api/contract']))) return 2;
  const child = spawn(process.execPath, ['packages/contract/dist/bin.js', ...args], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group; the judge then deletes what it has made, and this waits for it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', (signal) => child.kill(signal));
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 2));
  });
}

import { spawn } from 'node:child_process';
import { build, speakingWorkspaces } from '../turbo.ts';

/**
 * The sandbox alone. Its stdout is the sandbox's own: the first line that begins with `http` is its URL.
 * Everything said on the way there goes to stderr.
 */
export async function run(args: readonly string[]): Promise<number> {
  if (!(await build(speakingWorkspaces))) return 1;
  const child = spawn(process.execPath, ['apps/sandbox/dist/bin.js', ...args], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the whole group; a supervisor sends SIGTERM to us alone.
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGTERM', forward);
  process.on('SIGINT', () => {});
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

import { spawn } from 'node:child_process';

/**
 * Runs turbo tasks and answers its exit code.
 * `quiet` keeps stdout clean for commands whose own stdout means something: everything goes to stderr.
 */
export function turbo(args: readonly string[], options: { quiet?: boolean } = {}): Promise<number> {
  const output = options.quiet ? process.stderr : 'inherit';
  return new Promise((resolve, reject) => {
    // On Windows the binaries of node_modules/.bin are .cmd files, which only a shell starts.
    const child = spawn('turbo', args, {
      stdio: ['ignore', output, 'inherit'],
      shell: process.platform === 'win32',
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}

/** Builds the named workspaces and what they stand on; true when all of it was built. */
export async function build(workspaces: readonly string[]): Promise<boolean> {
  const filters = workspaces.map((workspace) => `--filter=${workspace}`);
  const code = await turbo(['run', 'build', '--output-logs=errors-only', ...filters], { quiet: true });
  if (code !== 0) process.stderr.write('The build failed; the reason stands above.\n');
  return code === 0;
}

/** What speaks: the service, and the engine that it starts as a process of its own. */
export const speakingWorkspaces = ['@speech-api/sandbox', '@speech-api/engine-espeak'];

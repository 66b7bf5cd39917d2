import { spawn } from 'node:child_process';

/** The fresh-clone suite is a vitest run of its own, outside the task graph: it starts the task graph itself. */
export function run(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      'vitest',
      ['run', '--root', 'tools/run', '--config', 'vitest.fresh.config.ts', ...args],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        shell: process.platform === 'win32',
      },
    );
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

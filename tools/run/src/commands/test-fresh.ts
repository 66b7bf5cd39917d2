import { spawn } from 'node:child_process';

/** The fresh-clone suite stands outside the task graph: it starts the task graph itself. */
export function run(): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('pnpm', ['--filter', '@speech-api/run', 'run', 'test:fresh'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

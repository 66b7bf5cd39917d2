import { spawn } from 'node:child_process';
import { threadId } from 'node:worker_threads';
import type { Job, JobReport } from '../job-pool.ts';

/** Behaviour of a pool's program in a test. */
export type Kind =
  | 'answers'
  | 'names itself'
  | 'throws'
  | 'waits'
  | 'spins'
  | 'spins in promises'
  | 'ends its thread'
  | 'starts a process';

export async function doJob({ task, control }: Job<Kind>): Promise<string> {
  control.postMessage({ type: 'started', threadId } satisfies JobReport);
  switch (task) {
    case 'answers':
      return 'done';
    case 'names itself':
      return String(threadId);
    case 'throws':
      throw new Error('thrown in the thread');
    case 'waits':
      return new Promise(() => setInterval(() => {}, 1000));
    case 'spins':
      for (;;);
    case 'spins in promises':
      for (;;) await null;
    case 'ends its thread':
      return process.exit(1);
    case 'starts a process': {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      control.postMessage({ type: 'child', pid: child.pid ?? 0, running: true } satisfies JobReport);
      return new Promise(() => {});
    }
  }
}

import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { JobLimitError, JobPool } from './job-pool.ts';
import type { Kind } from './testing/stuck-thread.ts';

const program = new URL('testing/stuck-thread.ts', import.meta.url);
const pool = new JobPool<Kind, string>({ program, threads: 1 });
afterAll(() => pool.close());

const generous = { deadline: 60_000, processorTime: 60_000 };

test.each(['spins', 'spins in promises'] as const)(
  'ends a job that %s at its processor time, and does the next one in the queue',
  async (kind) => {
    const stuck = pool.run(kind, { ...generous, processorTime: 200 });
    const next = pool.run('answers', generous);
    await expect(stuck).rejects.toThrow(JobLimitError);
    await expect(stuck).rejects.toThrow('processor time');
    expect(await next).toBe('done');
  },
);

test('ends a job that waits forever at its deadline', async () => {
  await expect(pool.run('waits', { ...generous, deadline: 100 })).rejects.toThrow('more than 100 ms');
  expect(await pool.run('answers', generous)).toBe('done');
});

test('refuses a job that waits too long for its start, and does the next one', async () => {
  const short = new JobPool<Kind, string>({ program, threads: 1, waitMilliseconds: 5_000 });
  expect(await short.run('answers')).toBe('done');
  const leaving = new AbortController();
  const first = short.run('waits', { signal: leaving.signal });
  await expect(short.run('answers')).rejects.toMatchObject({
    message: expect.stringContaining('no room for the work within 5 s'),
    headers: { 'retry-after': '5' },
  });
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(await short.run('answers')).toBe('done');
  await short.close();
});

test('does the jobs in the queue after one whose thread has ended, and ones left while their thread loads', async () => {
  const leaving = new AbortController();
  const left = pool.run('spins', { ...generous, processorTime: 1 });
  const loading = pool.run('waits', { ...generous, signal: leaving.signal });
  const ended = pool.run('ends its thread', generous);
  const last = pool.run('answers', generous);
  await expect(left).rejects.toThrow(JobLimitError);
  leaving.abort(new Error('gone'));
  await expect(loading).rejects.toThrow('gone');
  await expect(ended).rejects.toThrow('exited');
  expect(await last).toBe('done');
});

test('ends a job whose caller has left, with the reason', async () => {
  const leaving = new AbortController();
  const waiting = pool.run('waits', { ...generous, signal: leaving.signal });
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
});

test('passes on what a job throws', async () => {
  await expect(pool.run('throws', generous)).rejects.toThrow('thrown in the thread');
});

test('ends its threads while there is no job, and starts others for the next one', async () => {
  const resting = new JobPool<Kind, string>({ program, threads: 1, idleMilliseconds: 1 });
  const first = await resting.run('names itself');
  await expect.poll(() => resting.run('names itself'), { interval: 200, timeout: 30_000 }).not.toBe(first);
  await resting.close();
});

test('ends the process that a job started, together with the job', async () => {
  const leaving = new AbortController();
  const pids: number[] = [];
  const waiting = pool.run('starts a process', {
    ...generous,
    signal: leaving.signal,
    onChild: (pid) => {
      pids.push(pid);
      leaving.abort(new Error('gone'));
    },
  });
  await expect(waiting).rejects.toThrow('gone');
  await expect.poll(() => isRunning(pids[0] ?? 0)).toBe(false);
});

/** One that has ended stays listed as a zombie, since the thread that would have noticed is gone. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

import { expect, test } from 'vitest';
import { JobPool, programBeside } from '../threads/job-pool.ts';
import type { ReadRequest } from './judge.ts';
import type { JudgeReply, JudgeTask } from './judge-thread.ts';

const program = programBeside(import.meta.url, './judge-thread');

function requestOf(characters: number): ReadRequest {
  const body = { text: 'a', references: [{ audio: 'AAAA', text: '"'.repeat(characters) }] };
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const contentType = 'application/json';
  const headers = { model: 's2-pro' };
  return {
    operationId: 'createSpeech',
    path: {},
    queryText: '',
    headers,
    mediaType: contentType,
    contentType,
    bytes,
  };
}

test('a request that takes longer than its deadline is no longer judged, and the next one is', async () => {
  const pool = new JobPool<JudgeTask, JudgeReply>({ program, threads: 1 });
  // No time at all: the job is ended when its clock is looked at first.
  const long = pool.run({ request: requestOf(5_000_000), options: {} }, { deadline: 0 });
  await expect(long).rejects.toThrow('more than 0 ms');
  expect(await pool.run({ request: requestOf(10), options: {} })).toMatchObject({
    judged: { body: { text: 'a' } },
  });
  await pool.close();
});

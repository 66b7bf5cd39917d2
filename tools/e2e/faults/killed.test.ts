import { createSpeechClient } from '@speech-api/client';
import { afterEach, expect, test } from 'vitest';
import { isAlive, type ServerProcess, startServerProcess } from '../test/testing/server-process.ts';

const running: ServerProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.kill('SIGKILL')));
});

async function start() {
  const sandbox = await startServerProcess('sandbox');
  running.push(sandbox);
  return { sandbox, speech: createSpeechClient({ apiKey: 'sandbox-key', baseUrl: sandbox.url }).speech };
}

test.each(['SIGTERM', 'SIGKILL'] as const)('%s leaves no engine behind', async (signal) => {
  const { sandbox, speech } = await start();
  await (await speech.create({ text: 'Hello.', format: 'wav' })).bytes();
  const engines = sandbox.engines();
  expect(engines.length).toBeGreaterThan(0);
  const { code } = await sandbox.kill(signal);
  if (signal === 'SIGTERM') expect([0, 143]).toContain(code);
  await expect.poll(() => engines.filter(isAlive)).toEqual([]);
});

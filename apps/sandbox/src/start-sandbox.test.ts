import { expect, test } from 'vitest';
import { startSandbox } from './start-sandbox.ts';
import { createFakeSpeech } from './testing/fake-speech.ts';
import { speak, start } from './testing/sandboxes.ts';

test('closes its speech service, also while somebody listens', async () => {
  const speech = createFakeSpeech({
    before: (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
  });
  const sandbox = await startSandbox({ speech });
  const answer = speak(sandbox, { text: 'a' }).catch(() => undefined);
  while (speech.jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await sandbox.close();
  await answer;
  expect(speech.closed).toBe(true);
  await expect(fetch(sandbox.url)).rejects.toThrow();
});

test('closes its speech service when the port is in use', async () => {
  const { port } = await start();
  const speech = createFakeSpeech();
  await expect(startSandbox({ port, speech })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(speech.closed).toBe(true);
});

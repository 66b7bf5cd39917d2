import { createSpeechClient } from '@speech-api/client';
import { toBeValidRequest, toHaveCalled } from '@speech-api/mock/matchers';
import { startSandbox } from '@speech-api/sandbox';
import { expect, onTestFinished, test } from 'vitest';

test('the matchers of the mock work on a sandbox', async () => {
  const sandbox = await startSandbox({ record: 'bodies' });
  onTestFinished(() => sandbox.close());
  const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: 'sandbox-key' });
  await (await client.speech.create({ text: 'Hello.', format: 'opus' })).bytes();
  expect(toHaveCalled(sandbox, 'createSpeech', { format: 'opus', text: 'Hello.' }).pass).toBe(true);
  expect(toHaveCalled(sandbox, 'createSpeech', { text: 'Another.' }).pass).toBe(false);
  expect(toBeValidRequest(sandbox).pass).toBe(true);
});

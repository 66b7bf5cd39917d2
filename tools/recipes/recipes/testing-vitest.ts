// # Tests of your own code with vitest
// The mock checks each request as the service would, and answers with audio that plays; nothing leaves the machine.
import { createSpeechClient, type SpeechClient } from '@speech-api/client';
import { useMock } from '@speech-api/mock/vitest';
import { expect, test } from 'vitest';

/** Your own code: it gets its client from outside, so that a test can give it another. */
async function greet(client: SpeechClient, name: string): Promise<Uint8Array> {
  const audio = await client.speech.create({ text: `Good morning, ${name}.`, format: 'opus' });
  return await audio.bytes();
}

const mock = useMock();

test('greets by name, in opus', async () => {
  const client = createSpeechClient({ baseUrl: mock.url, apiKey: 'any-key' });
  expect((await greet(client, 'Ann')).length).toBeGreaterThan(0);
  expect(mock).toHaveCalledTimes('createSpeech', 1, { format: 'opus', text: 'Good morning, Ann.' });
  expect(mock).toBeValidRequest();
});

test('passes a refusal on', async () => {
  const client = createSpeechClient({ baseUrl: mock.url, apiKey: 'any-key' });
  await expect(greet(client, 'x'.repeat(1_000_000))).rejects.toMatchObject({ name: expect.any(String) });
});

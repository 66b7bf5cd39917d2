// # Tests of your own code with node:test
// The same mock without a test framework to install: start it, look at its calls, stop it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createSpeechClient, InsufficientCreditError, type SpeechClient } from '@speech-api/client';
import { startMock } from '@speech-api/mock';
import { toBeValidRequest, toHaveCalled } from '@speech-api/mock/matchers';

/** Your own code: it gets its client from outside, so that a test can give it another. */
async function greet(client: SpeechClient, name: string): Promise<Uint8Array> {
  const audio = await client.speech.create({ text: `Good morning, ${name}.`, format: 'opus' });
  return await audio.bytes();
}

const mock = await startMock({ record: 'bodies' });
after(() => mock.close());

test('greets by name, in opus', async () => {
  await greet(createSpeechClient({ baseUrl: mock.url, apiKey: 'any-key' }), 'Ann');
  const called = toHaveCalled(mock, 'createSpeech', { format: 'opus', text: 'Good morning, Ann.' });
  assert.ok(called.pass, called.message());
  const valid = toBeValidRequest(mock);
  assert.ok(valid.pass, valid.message());
});

test('tells the caller that the credit is used up', async () => {
  // The mock gives any documented answer that a test asks for.
  const refusing: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set('prefer', 'code=402');
    return fetch(request);
  };
  const client = createSpeechClient({ baseUrl: mock.url, apiKey: 'any-key', fetch: refusing });
  await assert.rejects(greet(client, 'Ann'), (error) => InsufficientCreditError.isInstance(error));
});

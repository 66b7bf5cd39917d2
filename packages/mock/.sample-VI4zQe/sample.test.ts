import { useMock } from '@speech-api/mock/vitest';
import { expect, test } from 'vitest';

const mock = useMock();

test('asks for opus', async () => {
  await fetch(`${mock.url}/v1/tts`, {
    method: 'POST',
    headers: { authorization: 'Bearer any-key', model: 's2-pro', 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Hello.', format: 'opus' }),
  });
  expect(mock).toHaveCalled('createSpeech', { format: 'opus' });
  expect(mock).toBeValidRequest();
});

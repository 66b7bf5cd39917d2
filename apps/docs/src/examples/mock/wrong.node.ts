import { startMock } from '@speech-api/mock';

const mock = await startMock();
await fetch(`${mock.url}/v1/tts`, {
  method: 'POST',
  headers: {
    authorization: 'Bearer any-key',
    model: 's2-pro',
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    text: 'Hello.',
    format: 'wav',
    sample_rate: 48000,
  }),
});
for (const { message } of mock.calls[0]?.violations ?? []) {
  console.log(message);
}
await mock.close();

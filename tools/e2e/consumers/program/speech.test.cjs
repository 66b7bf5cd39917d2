const { createSpeechClient, NotFoundError } = require('@speech-api/client');

const client = createSpeechClient();

test('speaks', async () => {
  const audio = await client.speech.create({ text: 'Good morning.', format: 'wav' });
  expect((await audio.bytes()).length).toBeGreaterThan(1000);
});

test('gets the errors of the service', async () => {
  const error = await client.models.get('nobody').catch((reason) => reason);
  expect(NotFoundError.isInstance(error)).toBe(true);
});

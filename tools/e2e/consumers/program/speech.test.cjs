const { createSpeechClient, NotFoundError } = require('@speech-api/client');

const client = createSpeechClient();

test('speaks', async () => {
  const audio = await client.speech.create({ text: 'Good morning.', format: 'wav' });
  expect((await audio.bytes()).length).toBeGreaterThan(1000);
});

test('speaks with the time of each word', async () => {
  const stream = await client.speech.streamWithTimestamps({ text: 'Good morning.', format: 'opus' });
  const { audio, timeline } = await stream.collect();
  expect(audio.length).toBeGreaterThan(100);
  expect(timeline.toVtt()).toContain('Good morning.');
});

test('speaks in the voice of a sample', async () => {
  const sample = await client.speech.create({ text: 'A sample of a voice.', format: 'wav' });
  const references = [{ audio: await sample.bytes(), text: 'A sample of a voice.' }];
  const audio = await client.speech.create({ text: 'Good morning.', format: 'wav', references });
  expect((await audio.bytes()).length).toBeGreaterThan(1000);
});

test('gets the errors of the service', async () => {
  const error = await client.models.get('nobody').catch((reason) => reason);
  expect(NotFoundError.isInstance(error)).toBe(true);
});

import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';

const client = createSpeechClient({ model: 's2.1-pro' }); // for every call

const text = 'Good morning.';
await saveTo('usual.mp3', await client.speech.create({ text }));
await saveTo(
  'other.mp3',
  await client.speech.create({ text }, { model: 's2-pro' }),
);

import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient({ model: 's2.1-pro' }); // for every call
const { speech } = client;

const first = await speech.create({ text: 'Good morning.' });
const second = await speech.create({ text: 'Good night.' }, { model: 's1' }); // for this one
console.log(
  (await first.bytes()).length > 1000,
  (await second.bytes()).length > 1000,
);

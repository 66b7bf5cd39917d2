import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';

// Reads SPEECH_API_KEY and SPEECH_BASE_URL.
const client = createSpeechClient();

const speech = await client.speech.create({
  text: 'Good morning.',
  reference_id: 'sandbox-alba',
});
await saveTo('good-morning.mp3', speech);
console.log('Saved good-morning.mp3');

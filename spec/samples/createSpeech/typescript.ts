import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';

// Reads SPEECH_API_KEY and SPEECH_BASE_URL.
const client = createSpeechClient();

const speech = await client.speech.create({
  text: 'Fresh bread and two cups of tea.',
  format: 'mp3',
});
await saveTo('speech.mp3', speech);

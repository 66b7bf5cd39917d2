import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';

const client = createSpeechClient();

const speech = await client.speech.create(
  {
    text: 'Three cups cost $4.50, please.',
    reference_id: 'sandbox-blake',
    format: 'wav',
    sample_rate: 24000,
    prosody: { speed: 1.1, volume: -3 },
  },
  { model: 's2-pro' },
);
await saveTo('cups.wav', speech);
console.log(speech.format, speech.contentType);

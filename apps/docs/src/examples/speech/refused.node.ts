import { createSpeechClient, RequestError } from '@speech-api/client';

const client = createSpeechClient();
const settings = JSON.parse('{ "format": "wav", "sample_rate": 48000 }'); // from a form or a file

try {
  await client.speech.create({ text: 'Hello.', ...settings });
} catch (error) {
  if (!RequestError.isInstance(error)) throw error;
  console.log(error.field);
  console.log(error.message);
}

import { ConnectionError, createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';

const sandbox = await startSandbox({ faults: ['POST /v1/tts cut=2000'] });
const client = createSpeechClient({
  baseUrl: sandbox.url,
  apiKey: 'sandbox-key',
});

const speech = await client.speech.create({
  text: 'This sentence is never heard to its end.',
});
try {
  await speech.bytes();
} catch (error) {
  if (!ConnectionError.isInstance(error)) throw error;
  console.log('half a sentence is an error, not a short clip');
}
await sandbox.close();

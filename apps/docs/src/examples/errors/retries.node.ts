import { createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';

// A service that fails twice, for GET and for POST alike.
const sandbox = await startSandbox({
  faults: [
    'GET /model status=503 times=2',
    'POST /v1/tts status=503 times=2',
  ],
});
const client = createSpeechClient({
  baseUrl: sandbox.url,
  apiKey: 'sandbox-key',
});

const { total } = await client.models.list();
console.log(`GET was tried until it worked: ${total > 0}`);

const refused = await client.speech
  .create({ text: 'Hello.' })
  .catch((error: Error) => error.name);
console.log(`POST was sent once: ${refused}`);

const retry = { retries: 3, methods: ['GET', 'POST'] };
const speech = await client.speech.create({ text: 'Hello.' }, { retry });
console.log(
  `POST was retried because methods includes it: ${(await speech.bytes()).length > 0}`,
);
await sandbox.close();

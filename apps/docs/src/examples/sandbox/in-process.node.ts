import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { startSandbox } from '@speech-api/sandbox';

const sandbox = await startSandbox(); // on a free port, state in memory
const client = createSpeechClient({
  baseUrl: sandbox.url,
  apiKey: 'sandbox-key',
});

await saveTo('hello.mp3', await client.speech.create({ text: 'Hello.' }));
await sandbox.close();

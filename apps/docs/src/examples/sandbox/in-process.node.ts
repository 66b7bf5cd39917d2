import { createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';

const sandbox = await startSandbox(); // on a free port, state in memory
const client = createSpeechClient({ baseUrl: sandbox.url, apiKey: 'sandbox-key' });

const speech = await client.speech.create({ text: 'Hello.' });
console.log(speech.contentType, (await speech.bytes()).length > 1000);
await sandbox.close();

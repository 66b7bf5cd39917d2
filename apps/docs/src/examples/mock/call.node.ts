import { createSpeechClient } from '@speech-api/client';
import { startMock } from '@speech-api/mock';

const mock = await startMock(); // on a free port
const client = createSpeechClient({ baseUrl: mock.url, apiKey: 'any-key' });

await client.speech.create({ text: 'Hello.', format: 'opus' });

const [call] = mock.calls;
console.log(call?.operationId, call?.settings.format, call?.valid);
await mock.close();

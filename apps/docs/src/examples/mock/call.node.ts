import { createSpeechClient } from '@speech-api/client';
import { startMock } from '@speech-api/mock';

const mock = await startMock(); // on a free port
const client = createSpeechClient({ baseUrl: mock.url, apiKey: 'any-key' });

const speech = await client.speech.create({ text: 'Hello.', format: 'opus' });
console.log(speech.contentType, (await speech.bytes()).length > 100);

const [call] = mock.calls;
console.log(call?.operationId, call?.settings.format, call?.valid);
await mock.close();

import {
  ApiError,
  ConnectionError,
  createSpeechClient,
  RequestError,
  TimeoutError,
} from '@speech-api/client';

async function speak(
  client: ReturnType<typeof createSpeechClient>,
  text: string,
  voice?: string,
) {
  try {
    const speech = await client.speech.create({
      text,
      ...(voice === undefined ? {} : { reference_id: voice }),
    });
    await speech.bytes();
    return 'spoken';
  } catch (error) {
    if (RequestError.isInstance(error)) return `not sent: ${error.field}`;
    if (ApiError.isInstance(error)) return `${error.name}: ${error.status}`;
    if (TimeoutError.isInstance(error)) return `too slow: ${error.phase}`;
    if (ConnectionError.isInstance(error)) return 'not reached, or cut off';
    throw error;
  }
}

console.log(await speak(createSpeechClient(), 'Hello.'));
console.log(await speak(createSpeechClient(), 'Hello.', 'no-such-voice'));
console.log(await speak(createSpeechClient(), ''));
console.log(await speak(createSpeechClient({ apiKey: 'sandbox-empty' }), 'Hello.'));
console.log(await speak(createSpeechClient({ apiKey: 'sandbox-busy' }), 'Hello.'));
console.log(await speak(createSpeechClient({ apiKey: 'not-a-key' }), 'Hello.'));
console.log(
  await speak(createSpeechClient({ baseUrl: 'http://127.0.0.1:9' }), 'Hello.'),
);

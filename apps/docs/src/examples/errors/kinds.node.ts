import {
  ApiError,
  ConnectionError,
  createSpeechClient,
  RequestError,
  TimeoutError,
} from '@speech-api/client';

const client = createSpeechClient();

try {
  const speech = await client.speech.create({
    text: 'Hello.',
    reference_id: 'no-such-voice',
  });
  await speech.bytes();
} catch (error) {
  if (RequestError.isInstance(error)) {
    console.log(`Not sent. Correct ${error.field}.`);
  } else if (ApiError.isInstance(error)) {
    console.log(`${error.status}, ${error.name}`);
  } else if (TimeoutError.isInstance(error)) {
    console.log(`Too slow: ${error.phase}`);
  } else if (ConnectionError.isInstance(error)) {
    console.log('Not reached, or cut off');
  } else {
    throw error;
  }
}

import {
  createSpeechClient,
  InvalidRequestError,
} from '@speech-api/client';

const client = createSpeechClient();
const settings = JSON.parse('{ "temprature": 0.5 }'); // as it comes from somewhere else

try {
  await client.speech.create({ text: 'Hello.', ...settings });
} catch (error) {
  if (!InvalidRequestError.isInstance(error)) throw error;
  for (const { loc, msg } of error.issues)
    console.log(loc.join('.'), '-', msg);
}

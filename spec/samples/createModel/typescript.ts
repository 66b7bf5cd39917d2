import { createSpeechClient } from '@speech-api/client';
import { openAudioFile } from '@speech-api/client/node';

const client = createSpeechClient();

const model = await client.models.create({
  type: 'tts',
  title: 'My voice',
  train_mode: 'fast',
  visibility: 'private',
  voices: [await openAudioFile('sample.wav')],
  texts: ['What is said in the sample.'],
});
console.log(model._id, model.state);

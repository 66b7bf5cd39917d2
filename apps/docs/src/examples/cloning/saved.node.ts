import { createSpeechClient } from '@speech-api/client';
import { openAudioFile, saveTo } from '@speech-api/client/node';

const client = createSpeechClient();

const created = await client.models.create({
  type: 'tts',
  title: 'Ann',
  train_mode: 'fast',
  visibility: 'private',
  voices: [await openAudioFile('ann.wav')],
  texts: ['What Ann says in her sample.'],
});
const model = await client.models.waitUntilTrained(created._id, {
  deadline: 60_000,
});
console.log(model.title, model.state, model.visibility);

const speech = await client.speech.create({
  text: 'In the same voice.',
  reference_id: model._id,
});
await saveTo('same-voice.mp3', speech);

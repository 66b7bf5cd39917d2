import { createSpeechClient, NotFoundError } from '@speech-api/client';
import { openAudioFile } from '@speech-api/client/node';

const { models } = createSpeechClient();
const voices = [await openAudioFile('ann.wav')];
const { _id } = await models.create({
  type: 'tts',
  title: 'Ann',
  train_mode: 'fast',
  visibility: 'private',
  voices,
});

await models.update(_id, { title: 'Ann, calm', tags: ['calm', 'warm'] }); // the rest stays
const { title, tags } = await models.get(_id);
console.log(title, tags);

await models.delete(_id);
try {
  await models.get(_id);
} catch (error) {
  if (!NotFoundError.isInstance(error)) throw error;
  console.log('gone');
}

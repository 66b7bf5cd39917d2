import { createSpeechClient } from '@speech-api/client';
import { openAudioFile, saveTo } from '@speech-api/client/node';

const client = createSpeechClient();
const ann = {
  audio: await openAudioFile('ann.wav'),
  text: 'What Ann says in her sample.',
};
const ben = {
  audio: await openAudioFile('ben.wav'),
  text: 'What Ben says in his sample.',
};

const speech = await client.speech.create({
  text: '<|speaker:0|>Is it far? <|speaker:1|>Ten minutes on foot.',
  references: [[ann], [ben]], // one list of samples per speaker
  reference_id: ['ann', 'ben'], // any names, one per speaker
});
await saveTo('dialogue.mp3', speech);

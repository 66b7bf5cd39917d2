import { createSpeechClient } from '@speech-api/client';
import { openAudioFile, saveTo } from '@speech-api/client/node';

const client = createSpeechClient();

const speech = await client.speech.create({
  text: 'In the same voice.',
  references: [
    {
      audio: await openAudioFile('ann.wav'),
      text: 'What Ann says in her sample.',
    },
  ],
  format: 'wav',
});
await saveTo('same-voice.wav', speech);

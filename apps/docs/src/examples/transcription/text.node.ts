import { createSpeechClient } from '@speech-api/client';
import { openAudioFile } from '@speech-api/client/node';

const client = createSpeechClient();

const { text, duration } = await client.transcriptions.create({
  audio: await openAudioFile('recording.mp3'),
  language: 'en',
});
console.log(text);
console.log(`${duration.toFixed(1)} seconds`);

import { createSpeechClient } from '@speech-api/client';
import { openAudioFile } from '@speech-api/client/node';

const client = createSpeechClient();

const { text, duration, segments } = await client.transcriptions.create({
  audio: await openAudioFile('recording.mp3'),
  language: 'en',
  ignore_timestamps: false,
});
console.log(`${duration} s: ${text}`);
for (const segment of segments) console.log(segment.start, segment.end, segment.text);

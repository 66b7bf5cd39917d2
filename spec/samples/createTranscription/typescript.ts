import { createSpeechClient } from '@speech-api/client';
import { openAudioFile } from '@speech-api/client/node';

const client = createSpeechClient();

const transcription = await client.transcriptions.create({
  audio: await openAudioFile('recording.mp3'),
  language: 'en',
  ignore_timestamps: false,
});
console.log(transcription.text);
for (const segment of transcription.segments) {
  console.log(segment.start, segment.text);
}

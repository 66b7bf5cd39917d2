import { createSpeechClient } from '@speech-api/client';
import { toVtt } from '@speech-api/client/captions';
import { openAudioFile } from '@speech-api/client/node';

const client = createSpeechClient();

const transcript = await client.transcriptions.create({
  audio: await openAudioFile('recording.mp3'),
  ignore_timestamps: false, // without it there are no segments
});
console.log(toVtt(transcript));

import { createSpeechClient } from '@speech-api/client';
import { transcribeRecording } from '@speech-api/recordings';
import { openJournal, openRecording } from '@speech-api/recordings/node';

const recording = await openRecording('recording.mp3');
await using journal = await openJournal('recording.parts');
const transcript = await transcribeRecording(
  createSpeechClient(),
  recording,
  {
    journal,
    onProgress: ({ finishedParts, cutParts }) =>
      console.log(`${finishedParts} of ${cutParts} parts`),
  },
);
console.log(transcript.text);

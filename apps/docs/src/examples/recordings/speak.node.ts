import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { speakLong } from '@speech-api/recordings';
import { openJournal } from '@speech-api/recordings/node';

const text = 'The ferry leaves.\n\nThe ferry returns.';
const request = {
  text,
  format: 'mp3',
  reference_id: 'sandbox-alba',
} as const;
await using journal = await openJournal('ferry.parts');
const speech = speakLong(createSpeechClient(), request, {
  timestamps: true,
  journal,
});
await saveTo('ferry.mp3', speech);
console.log(speech.toVtt());

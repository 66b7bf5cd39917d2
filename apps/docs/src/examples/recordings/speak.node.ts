import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { speakLong } from '@speech-api/recordings';
import { openJournal } from '@speech-api/recordings/node';

const text = '# Morning\n\nThe ferry leaves.\n\n# Evening\n\nThe ferry returns.';
const request = { text, format: 'mp3', reference_id: 'sandbox-alba' } as const;
await using journal = await openJournal('ferry.parts');
const speech = speakLong(createSpeechClient(), request, {
  chapters: true,
  tags: { title: 'The Ferry', author: 'Ann Author' },
  timestamps: true,
  journal,
});
await saveTo('ferry.mp3', speech);
for (const { title, start } of speech.chapters)
  console.log(start.toFixed(1), title);
console.log(speech.toVtt());

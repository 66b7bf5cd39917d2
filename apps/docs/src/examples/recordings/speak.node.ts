import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { speakLong } from '@speech-api/recordings';

const text = 'The first chapter.\n\nThe second chapter.';
const request = { text, format: 'opus', reference_id: 'sandbox-alba' } as const;
const speech = speakLong(createSpeechClient(), request, { timestamps: true });
await saveTo('book.ogg', speech);
console.log(speech.toVtt());

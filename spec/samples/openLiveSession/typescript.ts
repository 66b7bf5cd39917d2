import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { connectLive } from '@speech-api/live';

const connection = await connectLive(createSpeechClient(), { format: 'mp3' });

// A string, or the pieces of a text as a language model writes them.
const speech = connection.speak('The tide comes in at seven.');
await saveTo('speech.mp3', speech);
connection.close();

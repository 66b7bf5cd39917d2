import { createSpeechClient } from '@speech-api/client';
import { saveTo } from '@speech-api/client/node';
import { connectLive } from '@speech-api/live';

const client = createSpeechClient();
const connection = await connectLive(client, { format: 'mp3' });

// A string, or pieces of text from a language model.
const speech = connection.speak('The tide comes in at seven.');
await saveTo('speech.mp3', speech);
connection.close();

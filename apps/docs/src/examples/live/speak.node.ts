import { writeFile } from 'node:fs/promises';
import { createSpeechClient } from '@speech-api/client';
import { connectLive } from '@speech-api/live';

/** Imitates a language model. */
async function* tokens() {
  const reply = 'Well, good morning. The tide comes in at seven.';
  for (const word of reply.split(' ')) yield `${word} `;
}

const connection = await connectLive(createSpeechClient(), {
  format: 'mp3',
});
await writeFile('reply.mp3', connection.speak(tokens()));
connection.close();

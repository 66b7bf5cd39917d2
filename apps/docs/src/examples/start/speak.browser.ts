import { createPlayer } from '@speech-api/audio/play';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient({
  baseUrl: 'http://127.0.0.1:4010',
  apiKey: 'sandbox-key',
  allowBrowserKey: true, // everybody knows the key of the sandbox; keep a real one on a server
});

const button = document.createElement('button');
button.textContent = 'Say it';
button.addEventListener('click', async () => {
  const player = createPlayer({ format: 'mp3' });
  const speech = await client.speech.create({
    text: 'Good morning.',
    reference_id: 'sandbox-alba',
  });
  for await (const bytes of speech) await player.write(bytes);
  await player.end();
  await player.finished;
  button.textContent = 'Say it again';
});
document.body.append(button);

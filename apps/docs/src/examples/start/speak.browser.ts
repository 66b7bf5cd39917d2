import { openPlayer } from '@speech-api/audio/player';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient({
  baseUrl: 'http://127.0.0.1:4010',
  apiKey: 'sandbox-key',
  allowBrowserKey: true, // everybody knows the key of the sandbox; keep a real one on a server
});

const button = document.createElement('button');
button.textContent = 'Say it';
button.addEventListener('click', async () => {
  const player = openPlayer('mp3');
  const speech = await client.speech.create({
    text: 'Good morning.',
    reference_id: 'sandbox-alba',
  });
  await player.play(speech);
  await player.drained;
  await player.close();
  button.textContent = 'Say it again';
});
document.body.append(button);

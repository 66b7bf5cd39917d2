import { openPlayer } from '@speech-api/audio/player';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient({
  baseUrl: 'http://127.0.0.1:4010',
  apiKey: 'sandbox-key',
  allowBrowserKey: true, // everybody knows the key of the sandbox; keep a real one on a server
});

const input = document.createElement('input');
input.type = 'file';
input.accept = 'audio/*';
input.addEventListener('change', async () => {
  const [audio] = input.files ?? [];
  if (!audio) return;
  const player = openPlayer('mp3');
  const references = [{ audio, text: 'What Ann says in her sample.' }];
  const speech = await client.speech.create({
    text: 'In the same voice.',
    references,
  });
  await player.play(speech);
  await player.drained;
  await player.close();
  input.title = 'Said';
});
document.body.append(input);

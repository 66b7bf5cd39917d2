import { openPlayer } from '@speech-api/audio/player';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient({
  baseUrl: 'http://127.0.0.1:4010',
  apiKey: 'sandbox-key',
  allowBrowserKey: true, // everybody knows the key of the sandbox; keep a real one on a server
});

const output = document.createElement('output');
const button = document.createElement('button');
button.textContent = 'Say it';
button.addEventListener('click', async () => {
  button.disabled = true;
  const player = openPlayer('mp3');
  const stream = await client.speech.streamWithTimestamps({
    text: 'Every word knows its time.',
  });

  const show = () => {
    output.value =
      stream.timeline.wordAt(player.playedMilliseconds / 1000)?.text ?? '';
    if (button.disabled) requestAnimationFrame(show);
  };
  show();

  async function* audio() {
    for await (const event of stream) {
      if (event.type === 'audio-chunk') yield event.audio;
    }
  }
  await player.play(audio());
  await player.drained;
  await player.close();
  button.disabled = false;
});
document.body.append(button, output);

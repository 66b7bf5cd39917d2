import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient({
  baseUrl: 'http://127.0.0.1:4010',
  apiKey: 'sandbox-key',
  allowBrowserKey: true, // everybody knows the key of the sandbox; keep a real one on a server
});

const output = document.createElement('output');
const input = document.createElement('input');
input.type = 'file';
input.accept = 'audio/*';
input.addEventListener('change', async () => {
  const [audio] = input.files ?? [];
  if (!audio) return;
  const { text } = await client.transcriptions.create({ audio });
  output.value = text;
});
document.body.append(input, output);

import { openAsBlob } from 'node:fs';

const form = new FormData();
form.append('audio', await openAsBlob('recording.mp3'), 'recording.mp3');
form.append('language', 'en');

const response = await fetch(`${process.env.SPEECH_BASE_URL}/v1/asr`, {
  method: 'POST',
  headers: { authorization: `Bearer ${process.env.SPEECH_API_KEY}` },
  body: form,
});
if (!response.ok)
  throw new Error(`${response.status}: ${await response.text()}`);
const { text } = (await response.json()) as { text: string };
console.log(text);

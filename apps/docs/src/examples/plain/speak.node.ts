import { writeFile } from 'node:fs/promises';

const response = await fetch(`${process.env.SPEECH_BASE_URL}/v1/tts`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${process.env.SPEECH_API_KEY}`,
    'content-type': 'application/json',
    model: 's2-pro',
  },
  body: JSON.stringify({
    text: 'Fresh bread and two cups of tea.',
    format: 'mp3',
  }),
});
if (!response.ok || response.body === null) {
  throw new Error(`${response.status}: ${await response.text()}`);
}
await writeFile('speech.mp3', response.body);
console.log(response.headers.get('content-type'));

import { writeFile } from 'node:fs/promises';
import { createSpeech, listModels, streamSpeechWithTimestamps } from './client.ts';

const authorization = `Bearer ${process.env.SPEECH_API_KEY}`;
const call = { headers: { authorization, model: 's2-pro' } };
const request = { text: 'Good morning.' };

if (process.argv[2] === 'json') {
  const answer = await listModels({}, call);
  if (answer.status === 200) console.log(answer.data.total);
} else if (process.argv[2] === 'audio') {
  const answer = await createSpeech(request, call);
  if (answer.status === 200) await writeFile('speech.mp3', new Uint8Array(await answer.data.arrayBuffer()));
} else {
  const answer = await streamSpeechWithTimestamps(request, call);
  if (answer.status === 200) await writeFile('speech.mp3', Buffer.from(answer.data.audio_base64, 'base64'));
}

import { writeFile } from 'node:fs/promises';
import { configure, createSpeech, listModels, streamSpeechWithTimestamps } from './client.ts';

const { SPEECH_BASE_URL: serverUrl = '', SPEECH_API_KEY: bearer = '' } = process.env;
configure({ serverUrl, auth: { bearer } });
const call = { body: { text: 'Good morning.' }, headers: { model: 's2-pro' } };

if (process.argv[2] === 'json') {
  const { total } = await listModels();
  console.log(total);
} else if (process.argv[2] === 'audio') {
  const audio = await createSpeech(call);
  await writeFile('speech.mp3', new Uint8Array(await audio.arrayBuffer()));
} else {
  const chunks: Buffer[] = [];
  for await (const { data } of streamSpeechWithTimestamps(call, { reconnect: false }))
    chunks.push(Buffer.from(data.audio_base64, 'base64'));
  await writeFile('speech.mp3', Buffer.concat(chunks));
}

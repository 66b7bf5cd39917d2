import { writeFile } from 'node:fs/promises';
import { createApiClient } from './client.ts';

const authorization = `Bearer ${process.env.SPEECH_API_KEY}`;
const client = createApiClient(process.env.SPEECH_BASE_URL ?? '', {
  axiosConfig: { headers: { authorization } },
});
const request = { text: 'Good morning.' };
const call = { headers: { model: 's2-pro' } };

if (process.argv[2] === 'json') {
  const { total } = await client.listModels();
  console.log(total);
} else if (process.argv[2] === 'audio') {
  const bytes = await client.createSpeech(request, { ...call, responseType: 'arraybuffer' });
  await writeFile('speech.mp3', Buffer.from(bytes as unknown as ArrayBuffer));
} else {
  console.log(await client.streamSpeechWithTimestamps(request, call));
}

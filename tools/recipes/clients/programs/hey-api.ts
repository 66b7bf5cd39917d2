import { writeFile } from 'node:fs/promises';
import { createClient } from './client/client/index.ts';
import { createSpeech, listModels, streamSpeechWithTimestamps } from './client/index.ts';

const { SPEECH_BASE_URL: baseUrl = '', SPEECH_API_KEY: auth = '' } = process.env;
const call = {
  client: createClient({ baseUrl, auth }),
  headers: { model: 's2-pro' },
  body: { text: 'Good morning.' },
  throwOnError: true,
} as const;

if (process.argv[2] === 'json') {
  const { data } = await listModels({ client: call.client, throwOnError: true });
  console.log(data.total);
} else if (process.argv[2] === 'audio') {
  const { data } = await createSpeech(call);
  await writeFile('speech.mp3', new Uint8Array(await data.arrayBuffer()));
} else {
  const { stream } = await streamSpeechWithTimestamps({ ...call, sseMaxRetryAttempts: 1 });
  const chunks: Buffer[] = [];
  for await (const event of stream) chunks.push(Buffer.from(event.audio_base64, 'base64'));
  await writeFile('speech.mp3', Buffer.concat(chunks));
}

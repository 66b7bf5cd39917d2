import { writeFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import type { paths } from './paths.ts';

const { SPEECH_BASE_URL: baseUrl = '', SPEECH_API_KEY: key } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
const request = { params: { header: { model: 's2-pro' } }, body: { text: 'Good morning.' } };

if (process.argv[2] === 'json') {
  const { data } = await client.GET('/model');
  console.log(data?.total);
} else if (process.argv[2] === 'audio') {
  const { data } = await client.POST('/v1/tts', { ...request, parseAs: 'arrayBuffer' });
  await writeFile('speech.mp3', new Uint8Array(data ?? new ArrayBuffer(0)));
} else {
  const { data } = await client.POST('/v1/tts/stream/with-timestamp', request);
  console.log(data);
}

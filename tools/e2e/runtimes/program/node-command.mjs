// Node only: files as input and output, by path, and servers that misbehave.
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createSpeechClient } from '@speech-api/client';
import { openAudioFile, readAudio, saveTo } from '@speech-api/client/node';

const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: process.argv[2] });
const path = fileURLToPath(new URL('clip.wav', import.meta.url));
const size = await saveTo(path, await client.speech.create({ text: 'To a file.', format: 'wav' }));
const saved = await readFile(path);
if (saved.length !== size || saved.readUInt32LE(4) !== size - 8)
  throw new Error('the file has not its true size');
const references = [
  { audio: await openAudioFile(path), text: 'To a file.' },
  { audio: await readAudio((await openAudioFile(path)).stream(), { name: 'clip.wav' }), text: 'To a file.' },
];
const audio = await client.speech.create({ text: 'From a file.', references });
if ((await audio.bytes()).length < 1000) throw new Error('no audio');
await rm(path);

/** Each answer causes an error of this name after one request. */
const answers = {
  'a body that is cut': [
    'ConnectionError',
    (response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm', 'content-length': 90_000 });
      response.write(Buffer.alloc(3000, 1), () => setTimeout(() => response.destroy(), 50));
    },
  ],
  'an error that never ends': [
    'ServerError',
    (response) => {
      const pour = () => {
        while (!response.destroyed) if (!response.write(Buffer.alloc(65_536, ' '))) break;
      };
      response.on('drain', pour).writeHead(500, { 'content-type': 'application/json' });
      pour();
    },
  ],
  'the page of a gateway': [
    'ProtocolError',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
  ],
  'an answer that never comes': ['TimeoutError', () => {}],
};
for (const [name, [expected, answer]] of Object.entries(answers)) {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { speech } = createSpeechClient({
    apiKey: 'sandbox-key',
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    timeouts: { headers: 1000 },
  });
  const error = await speech
    .create({ text: 'Hello.', format: 'pcm' })
    .then((audio) => audio.bytes())
    .catch((reason) => reason);
  if (error.name !== expected || requests !== 1)
    throw new Error(`${name}: ${requests} requests`, { cause: error });
  server.close().closeAllConnections();
}
console.log('works: files and hostile servers');

import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const server = createServer(async (_request, response) => {
  const speech = await client.speech.create({
    text: 'Heard while it is being made.',
    latency: 'balanced',
  });
  response.writeHead(200, { 'content-type': speech.contentType });
  // Leaving early (the listener hangs up) ends the call to the service as well.
  await pipeline(speech, response).catch(() => undefined);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

const { port } = server.address() as { port: number };
const heard = await fetch(`http://127.0.0.1:${port}/`);
const audio = new Uint8Array(await heard.arrayBuffer());
console.log(heard.headers.get('content-type'), audio.length > 10_000);
server.close();

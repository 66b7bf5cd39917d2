// # Speech as the answer of a node:http server
// Passes the audio on while it is made: a slow listener slows the service down, and a listener who leaves ends the call.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createSpeechClient, SpeechError } from '@speech-api/client';

const client = createSpeechClient();
const maximumText = 2000;

const server = createServer(async (request, response) => {
  if (request.method !== 'POST')
    return response.writeHead(405, { allow: 'POST' }).end('Send the text with POST.\n');
  if (!request.headers['content-type']?.startsWith('text/plain'))
    return response.writeHead(415).end('Send the text as text/plain.\n');
  const stop = new AbortController();
  response.once('close', () => stop.abort());
  try {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) {
      text += piece;
      if (text.length > maximumText) return response.writeHead(413, { connection: 'close' }).end();
    }
    if (text.trim() === '') return response.writeHead(400).end('Send a text to speak.\n');
    const audio = await client.speech.create({ text, format: 'mp3' }, { signal: stop.signal });
    response.writeHead(200, { 'content-type': audio.contentType });
    await pipeline(audio, response);
  } catch (error) {
    if (stop.signal.aborted) return;
    // The status was already sent: breaking the connection tells the listener that the audio is incomplete.
    if (response.headersSent) return response.destroy();
    console.error(SpeechError.isInstance(error) ? error.code : error);
    response.writeHead(502).end('No speech at the moment.');
  }
});

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

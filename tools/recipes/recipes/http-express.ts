// # Speech as the answer of an Express route
// Express 5 passes a rejected promise to its error handler; the pipeline keeps the pace of the listener.
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createSpeechClient, SpeechError } from '@speech-api/client';
import express, { type ErrorRequestHandler } from 'express';

const client = createSpeechClient();
const app = express();

app.post('/', express.text({ limit: '8kb' }), async (request, response) => {
  if (!request.get('content-type')?.startsWith('text/plain'))
    return response.status(415).send('Send the text as text/plain.\n');
  // An empty request has no body.
  if (!request.body?.trim()) return response.status(400).send('Send a text to speak.\n');
  const stop = new AbortController();
  response.once('close', () => stop.abort());
  const audio = await client.speech.create({ text: request.body, format: 'mp3' }, { signal: stop.signal });
  response.type(audio.contentType);
  await pipeline(audio, response);
});
app.all('/', (_request, response) => {
  response.status(405).set('allow', 'POST').send('Send the text with POST.\n');
});

const answerFailure: ErrorRequestHandler = (error, _request, response, next) => {
  // A listener who has left needs no answer.
  if (response.destroyed) return;
  if (!SpeechError.isInstance(error)) return next(error);
  // The status was already sent: breaking the connection tells the listener that the audio is incomplete.
  if (response.headersSent) return response.destroy();
  console.error(error.code);
  response.status(502).send('No speech at the moment.');
};
app.use(answerFailure);

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

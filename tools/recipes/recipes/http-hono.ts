// # Speech as the answer of a Hono route
// The body of the audio becomes the body of the answer; the same lines run on Node, Bun, Deno and in workers.
import { serve } from '@hono/node-server';
import { createSpeechClient, SpeechError } from '@speech-api/client';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';

const client = createSpeechClient();
const app = new Hono();

app.post('/', bodyLimit({ maxSize: 8000 }), async (context) => {
  if (!context.req.header('content-type')?.startsWith('text/plain'))
    return context.text('Send the text as text/plain.\n', 415);
  const text = await context.req.text();
  if (text.trim() === '') return context.text('Send a text to speak.\n', 400);
  const audio = await client.speech.create({ text, format: 'mp3' }, { signal: context.req.raw.signal });
  return context.body(audio.body, 200, { 'content-type': audio.contentType });
});
app.all('/', (context) => context.text('Send the text with POST.\n', 405, { allow: 'POST' }));

app.onError((error, context) => {
  // Hono's own refusals, such as the size limit above.
  if (error instanceof HTTPException) return error.getResponse();
  console.error(SpeechError.isInstance(error) ? error.code : error);
  return context.text('No speech at the moment.', 502);
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});

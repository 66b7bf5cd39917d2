// # Speech as the answer of a Next route handler
// This is app/api/speech/route.ts; a page plays what `fetch('/api/speech', { method: 'POST', body: text })` gets.
import { createSpeechClient, SpeechError } from '@speech-api/client';

const maximumText = 2000;

export const GET = (): Response =>
  new Response('Send the text with POST.\n', { status: 405, headers: { allow: 'POST' } });

export async function POST(request: Request): Promise<Response> {
  if (!request.headers.get('content-type')?.startsWith('text/plain'))
    return new Response('Send the text as text/plain.\n', { status: 415 });
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  // A character has at most four bytes. A body without a length is refused.
  if (!(length <= maximumText * 4)) return new Response('The text is too long.\n', { status: 413 });
  try {
    const text = await request.text();
    if (text.trim() === '') return new Response('Send a text to speak.\n', { status: 400 });
    // The client is created here, because there is no key while Next builds.
    const client = createSpeechClient();
    const audio = await client.speech.create({ text, format: 'mp3' }, { signal: request.signal });
    return new Response(audio.body, { headers: { 'content-type': audio.contentType } });
  } catch (error) {
    console.error(SpeechError.isInstance(error) ? error.code : error);
    return new Response('No speech at the moment.', { status: 502 });
  }
}

import { AbortError, createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();
const leaving = new AbortController();

const speech = await client.speech.create(
  { text: 'A long text that nobody waits for.', format: 'pcm' },
  { signal: leaving.signal },
);
try {
  for await (const bytes of speech) {
    if (bytes.length > 0) leaving.abort(); // the listener has left
  }
} catch (error) {
  if (!AbortError.isInstance(error)) throw error;
  console.log('ended by us');
}

import { expect, it } from 'vitest';
import { createFakeSpeech } from '../../src/testing/fake-speech.ts';
import { speak, speechHeaders, start } from '../../src/testing/sandboxes.ts';
import { eventsOf } from './calls.ts';

it('section 6: events are sent while audio is made, each with one chunk of it', async () => {
  const goOn = Promise.withResolvers<void>();
  const speech = createFakeSpeech({ pieces: 3, before: (piece) => (piece === 2 ? goOn.promise : undefined) });
  const sandbox = await start({ speech });
  const response = await speak(sandbox, { text: 'a' }, speechHeaders, '/v1/tts/stream/with-timestamp');
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    // The third is not made before the first two have come.
    if (eventsOf(text).length === 2) goOn.resolve();
  }
  const chunks = eventsOf(text).map((event) => Buffer.from(event.audio_base64, 'base64'));
  expect(chunks).toEqual([0, 1, 2].map((piece) => Buffer.alloc(4, piece)));
});

it('section 6: a stream ends with its connection and without a marker', async () => {
  const response = await speak(await start(), { text: 'a' }, speechHeaders, '/v1/tts/stream/with-timestamp');
  const text = await response.text();
  expect(eventsOf(text)).toHaveLength(2);
  expect(text).not.toContain('[DONE]');
});

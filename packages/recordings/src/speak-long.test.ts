import { createSpeechClient, type SpeechRequest } from '@speech-api/client';
import { expect, test } from 'vitest';
import { type SpeakLongOptions, speakLong } from './index.ts';
import { collect, noise, wavFile } from './testing/files.ts';

/** Runs `speakLong` with a service that answers each call with these seconds of noise. */
async function speakNoise(
  seconds: readonly number[],
  request: SpeechRequest,
  options: SpeakLongOptions = {},
) {
  const texts: string[] = [];
  const client = createSpeechClient({
    apiKey: 'any',
    baseUrl: 'http://127.0.0.1:1',
    fetch: async (input, init) => {
      const { text } = (await new Request(input, init).json()) as { text: string };
      const wav = wavFile(noise(Math.round((seconds[texts.length] ?? 0) * 44_100)), 44_100);
      texts.push(text);
      return new Response(wav, { headers: { 'content-type': 'audio/wav' } });
    },
  });
  const speech = speakLong(client, { format: 'wav', ...request }, { jobs: 1, ...options });
  await collect(speech);
  return { speech, texts };
}

const long = [1, 2, 3, 4, 5, 6]
  .map((day) => `The ferry of day ${day} leaves at noon, and nobody waves. `)
  .join('');

test('a part that seems too short for its text was paid for: it is kept, and a warning names it', async () => {
  const stored = new Map<string, Uint8Array>();
  const journal = {
    read: async (key: string) => stored.get(key),
    write: async (key: string, part: Uint8Array) => void stored.set(key, part),
  };
  const options = { maximumCharacters: 200, journal };
  const { speech, texts } = await speakNoise([4, 0.5], { text: long }, options);
  expect([texts.length, speech.duration]).toEqual([2, 4.5]);
  expect(speech.warnings).toEqual([
    expect.stringMatching(/^Part 2 of 2 is 0\.5 s of audio for \d+ characters/),
  ]);
  const again = await speakNoise([], { text: long }, options);
  expect([again.texts.length, again.speech.duration, again.speech.warnings.length]).toEqual([0, 4.5, 1]);
});

test.each<[string, SpeechRequest, number, number]>([
  ['a fast voice', { text: 'a'.repeat(99), prosody: { speed: 2 } }, 1.5, 0],
  ['the same at normal speed', { text: 'a'.repeat(99) }, 1.5, 1],
  ['directions in brackets', { text: `<|speaker:0|>[${long}] (${long}) Oh.`, reference_id: ['a'] }, 0.2, 0],
  ['markup', { text: `<p class="${'x'.repeat(500)}"><b>Oh.</b></p>` }, 0.2, 0],
  ['Chinese, of which each character is a syllable', { text: '雨'.repeat(50) }, 1.5, 1],
])('%s is counted as it is heard', async (_name, request, seconds, warnings) => {
  const { speech } = await speakNoise([seconds], request);
  expect(speech.warnings.length).toBe(warnings);
});

import { expect, test } from 'vitest';
import { spreadWords } from './fixtures.ts';
import type { RunningSandbox } from './start-sandbox.ts';
import { start, transcribe } from './testing/sandboxes.ts';
import { encode, noise } from './uploads/testing/sounds.ts';

const text = 'Once upon a time, long ago.';

/** A whispering voice: bursts of noise with energy in every band. */
function whisper(seconds: number): Int16Array {
  return noise(seconds, 9000).map((sample, index) => sample * Math.sin((index / 22050) * 3.5 * Math.PI) ** 2);
}

async function register(
  sandbox: RunningSandbox,
  fields: Readonly<Record<string, string | Uint8Array>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, new Blob([new Uint8Array(value)]), 'clip');
  }
  return fetch(`${sandbox.url}/__sandbox/fixtures`, { method: 'POST', body: form, headers });
}

test('a recording that was registered is transcribed with its words, also in another format', async () => {
  const sandbox = await start();
  const samples = whisper(4);
  expect((await transcribe(sandbox, await encode(samples))).source).toBe('placeholder');
  const registered = await register(sandbox, { audio: await encode(samples), text });
  expect(registered.status).toBe(201);
  const again = await encode(samples, { format: 'mp3', sampleRate: 44100 });
  const { source, body } = await transcribe(sandbox, again);
  expect(source).toBe('fixture');
  expect(body).toMatchObject({ text, language_code: 'en' });
  expect(body.segments.map((segment) => segment.text)).toEqual(['Once', 'upon', 'a', 'time', 'long', 'ago']);
});

test('a recording of the start outlasts a reset, and one that came later does not', async () => {
  const [first, later] = [await encode(whisper(2)), await encode(whisper(3).reverse())];
  const sandbox = await start({ fixtures: [{ audio: first, text }] });
  await register(sandbox, { audio: later, text });
  expect((await transcribe(sandbox, later)).source).toBe('fixture');
  await fetch(`${sandbox.url}/__sandbox/reset`, { method: 'POST' });
  expect((await transcribe(sandbox, later)).source).toBe('placeholder');
  expect((await transcribe(sandbox, first)).source).toBe('fixture');
});

test('a recording can be registered at the start, with the times and the language that are known', async () => {
  const audio = await encode(whisper(3));
  const words = [
    { text: 'Es', start: 0.5, end: 1 },
    { text: 'war', start: 1.25, end: 2.9 },
  ];
  const sandbox = await start({ fixtures: [{ audio, text: 'Es war.', words, language: 'de' }] });
  const { body } = await transcribe(sandbox, audio);
  expect(body).toEqual({ text: 'Es war.', duration: 3, segments: words, language_code: 'de' });
});

test.each([
  ['`audio`', { text }],
  ['`text`', { audio: new Uint8Array(100) }],
  ['`audio` cannot be read', { audio: new Uint8Array(100), text }],
  ['`words`', { audio: new Uint8Array(100), text, words: '[{"text":1}]' }],
])('a registration says what is wrong with it: %s', async (named, fields) => {
  const response = await register(await start(), fields);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { message: string }).message).toContain(named);
});

test('gives each word of a text time by its length, and none to the pauses', () => {
  const words = spreadWords('Four four, four four.', [
    { start: 1, end: 3 },
    { start: 5, end: 7 },
  ]);
  expect(words.map(({ text }) => text)).toEqual(['Four', 'four', 'four', 'four']);
  expect(words[0]?.start).toBeCloseTo(1, 5);
  expect(words.at(-1)?.end).toBeCloseTo(7, 5);
  for (const { start, end } of words) expect(end).toBeGreaterThan(start);
  expect(words[3]?.start).toBeGreaterThan(5);
});

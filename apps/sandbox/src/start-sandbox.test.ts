import type { SpeechStreamEvent } from '@speech-api/types';
import { expect, test } from 'vitest';
import { createSpeechService } from './speech/service.ts';
import { startSandbox } from './start-sandbox.ts';
import { createFakeSpeech } from './testing/fake-speech.ts';
import { speak, speechHeaders, start } from './testing/sandboxes.ts';

test('really speaks: wav with sound in it, and the same bytes for the same request', async () => {
  const sandbox = await start({ speech: createSpeechService({ processes: 1 }) });
  const request = {
    text: 'Good evening, and welcome back to the harbour.',
    format: 'wav',
    sample_rate: 16_000,
  };
  const [first, second] = [await speak(sandbox, request), await speak(sandbox, request)];
  const bytes = Buffer.from(await first.bytes());
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
  const samples = new Int16Array(
    bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length - (bytes.length % 2)),
  );
  expect(samples.length).toBeGreaterThan(2 * 16_000);
  expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeGreaterThan(2_000);
  expect(Buffer.from(await second.bytes()).equals(bytes)).toBe(true);
});

test('really speaks with timestamps: words in order, and audio that fills them', async () => {
  const sandbox = await start({ speech: createSpeechService({ processes: 1 }) });
  const request = { text: 'One, two, three.', format: 'pcm' };
  const response = await speak(sandbox, request, speechHeaders, '/v1/tts/stream/with-timestamp');
  const events = (await response.text())
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line.slice('data: '.length)) as SpeechStreamEvent);
  const segments = events.at(-1)?.alignment?.segments ?? [];
  expect(segments.map((segment) => segment.text.toLowerCase())).toEqual(['one', 'two', 'three']);
  const bytes = events.reduce((sum, event) => sum + Buffer.from(event.audio_base64, 'base64').length, 0);
  expect(bytes / 2 / 44_100).toBeCloseTo(events.at(-1)?.alignment?.audio_duration ?? 0, 1);
});

test('runs many side by side, each on a port of its own', async () => {
  const sandboxes = await Promise.all(Array.from({ length: 20 }, () => start()));
  expect(new Set(sandboxes.map((sandbox) => sandbox.port)).size).toBe(20);
});

test('closes its speech service, also while somebody listens', async () => {
  const speech = createFakeSpeech({
    before: (_, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
  });
  const sandbox = await startSandbox({ speech });
  const answer = speak(sandbox, { text: 'a' }).catch(() => undefined);
  while (speech.jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await sandbox.close();
  await answer;
  expect(speech.closed).toBe(true);
  await expect(fetch(sandbox.url)).rejects.toThrow();
});

test('closes its speech service when the port is in use', async () => {
  const { port } = await start();
  const speech = createFakeSpeech();
  await expect(startSandbox({ port, speech })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(speech.closed).toBe(true);
});

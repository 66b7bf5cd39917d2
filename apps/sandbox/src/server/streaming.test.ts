import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SpeechOverloadError } from '../speech/engine/protocol.ts';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { openRaw } from '../testing/raw-connection.ts';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

const events = '/v1/tts/stream/with-timestamp';

test('section 4.1: sends audio before the rest of it is made', async () => {
  const gate = Promise.withResolvers<void>();
  const speech = createFakeSpeech({ before: (piece) => (piece === 1 ? gate.promise : undefined) });
  const response = await speak(await start({ speech }), { text: 'a' });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value).toEqual(Uint8Array.from([0, 0, 0, 0]));
  expect(speech.made).toBe(1);
  gate.resolve();
  expect((await reader?.read())?.value).toEqual(Uint8Array.from([1, 1, 1, 1]));
  expect((await reader?.read())?.done).toBe(true);
});

test('sends one event a piece, each on one data line with the fields of section 2.4', async () => {
  const response = await speak(await start(), { text: 'line one\nline two' }, speechHeaders, events);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const lines = (await response.text()).split('\n\n');
  expect(lines).toEqual([...Array(2).fill(expect.stringMatching(/^data: .*$/)), '']);
  const [first, second] = lines.slice(0, 2).map((line) => JSON.parse(line.slice('data: '.length)));
  const fields = { content: 'line one\nline two', chunk_seq: 0, chunk_audio_offset_sec: 0 };
  expect(first).toEqual({ audio_base64: 'AAAAAA==', alignment: null, ...fields });
  expect(second).toMatchObject({ alignment: { audio_duration: 1 }, ...fields });
});

test.each(['/v1/tts', events])(
  'cuts %s when the engine fails later, so that it does not seem to end well',
  async (path) => {
    const sandbox = await start({ speech: createFakeSpeech({ failsAt: 1 }) });
    const response = await speak(sandbox, { text: 'a' }, speechHeaders, path);
    expect(response.status).toBe(200);
    await expect(response.bytes()).rejects.toThrow();
  },
);

test('stops the engine when the caller goes away before the first byte', async () => {
  const speech = createFakeSpeech({ before: (_, signal) => wait(60_000, undefined, { signal }) });
  const sandbox = await start({ speech });
  const { socket } = await openRaw(sandbox);
  const head = Object.entries(speechHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /v1/tts HTTP/1.1\r\nhost: localhost\r\n${head.join('')}content-length: 12\r\n\r\n{"text":"a"}`,
  );
  while (speech.jobs.length === 0) await wait(5);
  socket.destroy();
  while (speech.ended === 0) await wait(5);
  expect(speech).toMatchObject({ aborted: 1, made: 0 });
});

test('refuses a text in which the engine finds nothing to speak', async () => {
  const response = await speak(await start({ speech: createFakeSpeech({ pieces: 0 }) }), { text: '...' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: expect.stringContaining('text') });
});

test('answers 503 when no engine is free in time', async () => {
  const speech = createFakeSpeech({
    before: () => {
      throw new SpeechOverloadError('nobody is free');
    },
  });
  const response = await speak(await start({ speech }), { text: 'a' });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.json()).toMatchObject({ status: 503, message: expect.stringContaining('try again') });
});

test.each([true, false])(
  'cuts what is under way when the sandbox closes, and never ends it well (quiet engine: %s)',
  async (stopsQuietly) => {
    const speech = createFakeSpeech({
      pieces: 1_000,
      stopsQuietly,
      before: (piece, signal) =>
        piece === 0 ? undefined : wait(60_000, undefined, { signal }).catch(() => undefined),
    });
    const sandbox = await start({ speech });
    const response = await speak(sandbox, { text: 'a' });
    const body = response.bytes();
    body.catch(() => undefined);
    await sandbox.close();
    await expect(body).rejects.toThrow();
  },
);

import { expect, test } from 'vitest';
import { toHaveCalledTimes } from './matchers.ts';
import { key, speak, start, stream } from './testing/mocks.ts';

/** Reads the bytes that arrive, and whether the body ends without an error. */
async function read(response: Response): Promise<{ readonly bytes: number; readonly whole: boolean }> {
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return { bytes, whole: true };
  } catch {
    return { bytes, whole: false };
  }
}

const text = 'The baker opens at six.';

test('a request asks for a status by its header', async () => {
  const mock = await start();
  const response = await speak(mock, { text }, { 'x-speech-fault': 'status=503' });
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toMatchObject([
    503,
    '1',
    { status: 503 },
  ]);
});

test('a connection ends without an answer, or after its status, and the call is recorded once', async () => {
  const mock = await start();
  await expect(speak(mock, { text }, { 'x-speech-fault': 'reset' })).rejects.toThrow('fetch failed');
  expect(mock.calls.map(({ status }) => status)).toEqual([undefined]);
  const cut = await speak(mock, { text }, { 'x-speech-fault': 'cut=0' });
  expect(cut.status).toBe(200);
  expect(await read(cut)).toEqual({ bytes: 0, whole: false });
});

test('a body is cut, slow, of another type, or no JSON, as the header says', async () => {
  const mock = await start();
  expect(await read(await speak(mock, { text }, { 'x-speech-fault': 'cut=1000' }))).toEqual({
    bytes: 1000,
    whole: false,
  });
  const began = performance.now();
  await read(await speak(mock, { text, format: 'opus' }, { 'x-speech-fault': 'drip=40000 delay=50ms' }));
  expect(performance.now() - began).toBeGreaterThan(100);
  const page = await speak(mock, { text }, { 'x-speech-fault': 'type=text/html' });
  expect(page.headers.get('content-type')).toBe('text/html');
  await page.body?.cancel();
  const broken = await fetch(`${mock.url}/model`, { headers: { ...key, 'x-speech-fault': 'malformed' } });
  expect(broken.status).toBe(200);
  await expect(broken.json()).rejects.toThrow();
  const events = await (await stream(mock, { text }, { 'x-speech-fault': 'malformed-event=2' })).text();
  const [first = '', second = ''] = events.split('\n\n').map((event) => event.replace('data: ', ''));
  expect(() => JSON.parse(first)).not.toThrow();
  expect(() => JSON.parse(second)).toThrow();
});

test('pieces come one after the other, as far apart as the header says', async () => {
  const mock = await start();
  const response = await stream(
    mock,
    { text },
    { 'x-speech-fault': 'pace=150ms', prefer: 'example=one-chunk' },
  );
  const times: number[] = [];
  for await (const _ of response.body ?? []) times.push(performance.now());
  // There are five events; a busy machine may join late pieces, but never sends one early.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(400);
  expect(times.length).toBeGreaterThan(1);
});

test('rules strike without a header, as often as they say', async () => {
  const mock = await start({ faults: ['POST /v1/tts status=503 times=2', 'GET /model* status=500 every=2'] });
  const statuses = [];
  for (let round = 0; round < 3; round += 1) {
    statuses.push((await speak(mock, { text })).status);
    statuses.push((await fetch(`${mock.url}/model`, { headers: key })).status);
  }
  expect(statuses).toEqual([503, 200, 503, 500, 200, 200]);
});

test('only a good request gets a fault', async () => {
  const mock = await start({ faults: ['status=503'] });
  expect((await speak(mock, { txt: 'a' })).status).toBe(422);
});

test('a call that a fault answers is recorded like any other, so that retries can be counted', async () => {
  const mock = await start({ record: 'bodies', faults: ['POST /v1/tts status=503 times=2'] });
  for (let round = 0; round < 3; round += 1) await (await speak(mock, { text })).arrayBuffer();
  await (await speak(mock, { text }, { 'x-speech-fault': 'status=500' })).arrayBuffer();
  expect(mock.calls.map(({ status }) => status)).toEqual([503, 503, 200, 500]);
  expect(mock.calls.map(({ sent }) => sent?.body)).toEqual(
    mock.calls.map(() => expect.objectContaining({ text })),
  );
  expect(toHaveCalledTimes(mock, 'createSpeech', 4, { text }).pass).toBe(true);
  expect(mock.calls.every(({ valid }) => valid)).toBe(true);
});

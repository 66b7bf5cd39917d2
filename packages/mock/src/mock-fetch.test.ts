import { getEventListeners } from 'node:events';
import { encode } from '@msgpack/msgpack';
import { afterEach, expect, test, vi } from 'vitest';
import { createMockFetch } from './mock-fetch.ts';
import { eventsOf, key, speechHeaders } from './testing/mocks.ts';
import { useMock } from './vitest.ts';

afterEach(() => vi.useRealTimers());

const mock = useMock(createMockFetch());
const text = 'The baker opens at six.';

function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer> | FormData,
  headers: Readonly<Record<string, string>> = speechHeaders,
) {
  return mock.fetch(`${mock.url}${path}`, { method: 'POST', headers, body });
}

test('answers speech, events, MessagePack, an upload and a refusal as a mock on a port does', async () => {
  vi.useFakeTimers();
  const speech = await post('/v1/tts', JSON.stringify({ text }));
  expect([speech.status, speech.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
  expect(speech.url).toBe(`${mock.url}/v1/tts`);
  expect((await speech.bytes()).length).toBeGreaterThan(1000);
  const events = await post('/v1/tts/stream/with-timestamp', JSON.stringify({ text, format: 'opus' }));
  expect((await eventsOf(events)).at(-1)?.alignment?.segments).toHaveLength(5);
  const packed = encode({ text, references: [{ audio: Uint8Array.of(1), text: 'a' }] });
  const cloned = await post('/v1/tts', packed, { ...speechHeaders, 'content-type': 'application/msgpack' });
  expect(cloned.status).toBe(200);
  const form = new FormData();
  form.append('audio', new Blob([Uint8Array.of(1, 2, 3)]), 'a.wav');
  expect((await post('/v1/asr', form, key)).status).toBe(200);
  const refused = await post('/v1/tts', JSON.stringify({ txt: 'a' }));
  expect([refused.status, await refused.json()]).toMatchObject([422, [{ loc: ['body', 'text'] }, {}]]);
  expect(mock).toHaveCalled('createSpeech', { references: [{ audio: Uint8Array.of(1) }] });
  expect(mock).toHaveCalled('createTranscription', { audio: Uint8Array.of(1, 2, 3) });
  expect(mock.calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422]);
  expect((await mock.fetch(`${mock.url}/v1/tts/live`, { headers: speechHeaders })).status).toBe(426);
});

test('takes a Request, as MSW passes it, and answers HEAD and 204 without a body', async () => {
  const request = new Request(`${mock.url}/v1/tts`, {
    method: 'POST',
    headers: { ...speechHeaders, origin: 'https://app.example.com' },
    body: JSON.stringify({ text }),
  });
  expect((await mock.fetch(request)).status).toBe(200);
  expect(await (await mock.fetch(mock.url, { method: 'HEAD' })).text()).toBe('');
});

test('faults fail as they do on a port', async () => {
  const withFault = (fault: string) => ({ ...speechHeaders, 'x-speech-fault': fault });
  const body = JSON.stringify({ text });
  expect((await post('/v1/tts', body, withFault('status=503'))).status).toBe(503);
  await expect(post('/v1/tts', body, withFault('reset'))).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ECONNRESET' },
  });
  const cut = await post('/v1/tts', body, withFault('cut=1000'));
  await expect(cut.bytes()).rejects.toThrow('terminated');
  const rules = createMockFetch({ faults: ['GET /model status=500 times=1'] });
  const statuses = [];
  for (let round = 0; round < 4; round += 1) {
    if (round === 2) rules.clear();
    statuses.push((await rules.fetch(`${rules.url}/model`, { headers: key })).status);
  }
  expect(statuses).toEqual([500, 200, 500, 200]);
});

test('a signal ends the wait and the body at once', async () => {
  const controller = new AbortController();
  const headers = { ...speechHeaders, 'x-speech-fault': 'delay=60s' };
  const init = { method: 'POST', body: JSON.stringify({ text }), signal: controller.signal };
  const waiting = mock.fetch(`${mock.url}/v1/tts`, { ...init, headers });
  const endless = { ...speechHeaders, prefer: 'example=one-hour' };
  const body = (await mock.fetch(`${mock.url}/v1/tts`, { ...init, headers: endless })).bytes();
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(body).rejects.toThrow('enough');
  await expect(mock.fetch(mock.url, { signal: controller.signal })).rejects.toThrow('enough');
  const { signal } = new AbortController();
  const page = mock.fetch(mock.url, { signal });
  await (await mock.fetch(`${mock.url}/v1/tts`, { ...init, signal, headers: speechHeaders })).bytes();
  await (await page).text();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('makes a body while it is read, and no further', async () => {
  const headers = { ...speechHeaders, prefer: 'example=one-hour' };
  const response = await post('/v1/tts', JSON.stringify({ text, format: 'pcm' }), headers);
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.constructor).toBe(Uint8Array);
  await reader?.cancel();
});

test('refuses another origin, or passes it to the fetch of its options', async () => {
  const url = 'https://api.example.com';
  await expect(mock.fetch(`${url}/v1/tts`)).rejects.toThrow(`not for ${url}`);
  const passingMock = createMockFetch({ url, fetch: async () => new Response('from elsewhere') });
  expect((await passingMock.fetch(`${url}/model`, { headers: key })).status).toBe(200);
  expect(await (await passingMock.fetch(new URL('https://example.org/'))).text()).toBe('from elsewhere');
});

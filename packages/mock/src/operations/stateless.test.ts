import { synthesisModels } from '@speech-api/types';
import { expect, test } from 'vitest';
import { key, speak, speechHeaders, start, stream } from '../testing/mocks.ts';

const text = 'The baker opens at six.';

test('section 2.1, without effect: settings that would change how a voice sounds', async () => {
  const mock = await start();
  const ask = async (settings: object): Promise<Buffer> =>
    Buffer.from(await (await speak(mock, { text, format: 'pcm', ...settings })).arrayBuffer());
  const usual = await ask({});
  for (const settings of [
    { temperature: 0, top_p: 0 },
    { repetition_penalty: 2, early_stop_threshold: 0, condition_on_previous_chunks: false },
    { normalize: false, max_new_tokens: 1 },
    { prosody: { volume: 20, normalize_loudness: false } },
    { reference_id: 'anybody' },
    { references: [{ audio: 'AQID', text: 'a' }] },
  ]) {
    expect(Buffer.compare(await ask(settings), usual)).toBe(0);
  }
});

test('section 2.1: chunk_length, min_chunk_length and latency decide how many text chunks there are', async () => {
  const mock = await start();
  const chunks = async (settings: object): Promise<number> => {
    const body = await (await stream(mock, { text: `${text} `.repeat(20), ...settings })).text();
    return new Set(body.match(/"chunk_seq":\d+/g)).size;
  };
  const [one, more, most] = [
    await chunks({}),
    await chunks({ chunk_length: 100 }),
    await chunks({ latency: 'balanced', min_chunk_length: 0 }),
  ];
  expect([one < more, more < most]).toEqual([true, true]);
});

test('section 3, not available: the states of a voice model; every one is trained', async () => {
  const mock = await start();
  const body = JSON.stringify({
    type: 'tts',
    title: 'a',
    train_mode: 'full',
    visibility: 'private',
    voices: 'AQID',
  });
  const headers = { ...key, 'content-type': 'application/json' };
  const response = await fetch(`${mock.url}/model`, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ state: 'trained', train_mode: 'full' });
});

test('section 4.3, in part: a transcription is the example of the document, whatever was recorded', async () => {
  const mock = await start();
  const texts = new Set<string>();
  for (const content of ['no audio at all', 'anything']) {
    const form = new FormData();
    form.append('audio', new File([content], 'a.wav'));
    const response = await fetch(`${mock.url}/v1/asr`, { method: 'POST', headers: key, body: form });
    texts.add(await response.text());
  }
  expect(texts.size).toBe(1);
});

test('section 4.4, not available: filters, order and pages of a list, and what was changed before', async () => {
  const mock = await start();
  await fetch(`${mock.url}/model/a`, { method: 'DELETE', headers: key });
  expect((await fetch(`${mock.url}/model/a`, { headers: key })).status).toBe(200);
  const all = await (await fetch(`${mock.url}/model`, { headers: key })).text();
  const filtered = await fetch(`${mock.url}/model?title=nothing&sort_by=created_at`, { headers: key });
  expect(await filtered.text()).toBe(all);
});

test('section 4.5, not available: credit that goes down with use', async () => {
  const mock = await start();
  const credit = async (): Promise<string> =>
    (await fetch(`${mock.url}/wallet/self/api-credit`, { headers: key })).text();
  const before = await credit();
  await speak(mock, { text });
  expect(await credit()).toBe(before);
});

test('section 6: the end of a stream is the end of its body, without a marker', async () => {
  const mock = await start();
  const body = await (await stream(mock, { text })).text();
  expect(body).toMatch(/\}\n\n$/);
  expect(body).not.toContain('[DONE]');
});

test('section 8, not available: the limit of concurrency; it answers however many at once', async () => {
  const mock = await start();
  const answers = await Promise.all(Array.from({ length: 60 }, () => speak(mock, { text })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('section 9: every model is accepted, even one without a name yet', async () => {
  const mock = await start();
  for (const model of [...synthesisModels, 's9']) {
    expect((await speak(mock, { text }, { ...speechHeaders, model })).status).toBe(200);
  }
});

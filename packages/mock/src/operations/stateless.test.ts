import { synthesisModels } from '@speech-api/types';
import { expect, test } from 'vitest';
import { speak, speechHeaders, start, stream } from '../testing/mocks.ts';

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

test('section 6: the end of a stream is the end of its body, without a marker', async () => {
  const mock = await start();
  const body = await (await stream(mock, { text })).text();
  expect(body).toMatch(/\}\n\n$/);
  expect(body).not.toContain('[DONE]');
});

test('section 9: every model is accepted, even one without a name yet', async () => {
  const mock = await start();
  for (const model of [...synthesisModels, 's9']) {
    expect((await speak(mock, { text }, { ...speechHeaders, model })).status).toBe(200);
  }
});

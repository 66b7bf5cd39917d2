import { createValidator } from '@speech-api/server';
import { expect, test } from 'vitest';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { asUser } from '../testing/models.ts';
import { creditOf, readCredit, speak, speechHeaders, start } from '../testing/sandboxes.ts';

test.each([
  ['api-credit', 'ApiCredit'],
  ['package', 'Package'],
])('answers %s for self and for the own id, as the spec describes it', async (path, component) => {
  const { url } = await start();
  const body = await (await fetch(`${url}/wallet/self/${path}`, { headers: asUser() })).json();
  expect(createValidator().validate({ $ref: `#/components/schemas/${component}` }, body, 'json')).toEqual([]);
  expect(body).toMatchObject({ user_id: 'sandbox-user' });
  expect(await (await fetch(`${url}/wallet/sandbox-user/${path}`, { headers: asUser() })).json()).toEqual(
    body,
  );
});

test('takes the price of what was spoken, to the last place, and says since when', async () => {
  const now = Date.parse('2026-06-01T10:00:00Z');
  const sandbox = await start({ now: () => now });
  expect(await readCredit(sandbox)).toMatchObject({
    credit: '100.00',
    updated_at: expect.stringMatching(/^2026-03-02/),
  });
  // Five bytes of text, and fifteen in UTF-8.
  for (const text of ['Hello', '你好你好你']) await (await speak(sandbox, { text })).bytes();
  expect(await readCredit(sandbox)).toMatchObject({
    credit: '99.9997',
    updated_at: '2026-06-01T10:00:00.000Z',
  });
});

test('takes nothing for the model that is called free, for reading, and for what is refused', async () => {
  const sandbox = await start();
  await (await speak(sandbox, { text: 'Hello' }, { ...speechHeaders, model: 's2.1-pro-free' })).bytes();
  for (const body of [{ text: '' }, { text: 'a', temperature: 2 }, { text: 'a', reference_id: 'nobody' }]) {
    expect((await speak(sandbox, body)).status).toBeGreaterThanOrEqual(400);
  }
  expect(await creditOf(sandbox)).toBe('100.00');
});

test('gives back what a failed request did not produce', async () => {
  const failing = await start({ speech: createFakeSpeech({ failsAt: 0 }) });
  expect((await speak(failing, { text: 'Hello' })).status).toBe(500);
  expect(await creditOf(failing)).toBe('100.00');
});

test('gives back what nobody waited for, and takes the text chunks that were spoken', async () => {
  const { promise: passed, resolve: open } = Promise.withResolvers<void>();
  const speech = createFakeSpeech({
    pieces: 4,
    // Each piece is a text chunk of one byte here.
    chunkOf: (piece) => ({ chunk_seq: piece, content: 'x' }),
    before: (piece) => (piece === 2 ? passed : undefined),
  });
  const sandbox = await start({ speech });
  const controller = new AbortController();
  const { signal } = controller;
  const response = await fetch(`${sandbox.url}/v1/tts`, {
    method: 'POST',
    headers: speechHeaders,
    body: JSON.stringify({ text: 'x'.repeat(1000) }),
    signal,
  });
  expect(await creditOf(sandbox)).toBe('99.985');
  while (speech.made < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  await response.bytes().catch(() => undefined);
  while (speech.aborted === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  open();
  await expect.poll(async () => await creditOf(sandbox)).toBe('99.99997');
});

test('refuses with 402 what costs more than is left, and never spends the same credit twice', async () => {
  const { promise: passed, resolve: open } = Promise.withResolvers<void>();
  const speech = createFakeSpeech({ before: () => passed });
  const sandbox = await start({ speech });
  // 100 000 characters of three bytes each cost 4.5: 22 of them fit into 100.
  const text = '好'.repeat(100_000);
  const refused: Response[] = [];
  const answers = Array.from({ length: 30 }, async () => {
    const response = await speak(sandbox, { text });
    if (response.status === 402) refused.push(response);
    await response.bytes();
  });
  await expect.poll(() => refused.length + speech.jobs.length, { timeout: 20_000 }).toBe(30);
  expect(refused).toHaveLength(8);
  open();
  await Promise.all(answers);
  expect(await creditOf(sandbox)).toBe('1.00');
});

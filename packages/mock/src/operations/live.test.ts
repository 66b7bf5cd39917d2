import { type LiveClient, liveHeaders, openLive, refusedUpgrade } from '@speech-api/server/testing';
import { limits } from '@speech-api/types';
import { expect, test } from 'vitest';
import { speak, start } from '../testing/mocks.ts';

const startMessage = (request: object = {}): object => ({
  event: 'start',
  request: { text: '', ...request },
});
const text = (words: string): object => ({ event: 'text', text: words });
const flush = { event: 'flush' };
const stop = { event: 'stop' };
const eventsOf = ({ received }: LiveClient): string[] => received.map(({ event }) => event);

// Every format, and a second text on the same socket: tools/e2e/test/live.test.ts. Messages and upgrades that are
// refused: packages/server and apps/sandbox, over the same sessions.

test('section 4.6: it is as long as one call with the whole text, however the text comes', async () => {
  const mock = await start();
  const words = 'One two three four. '.repeat(30);
  for (const settings of [{}, { latency: 'balanced', min_chunk_length: 0 }]) {
    const request = { format: 'pcm', sample_rate: 8000, ...settings };
    const whole = await (await speak(mock, { text: words, ...request })).arrayBuffer();
    for (const size of [1, 4, 7]) {
      const client = await openLive(mock);
      const pieces = words.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
      client.send(startMessage(request), ...pieces.map(text), stop);
      await client.next('finish');
      expect([size, client.audio().length]).toEqual([size, whole.byteLength]);
      client.socket.close();
    }
  }
});

test('section 8: a session takes as much text as an ordinary call, over all its messages', async () => {
  const client = await openLive(await start());
  client.send(startMessage());
  for (let sent = 0; sent < limits.textCodePoints; sent += 1000) client.send(text('👍'.repeat(1000)));
  client.send(text('a'));
  expect((await client.next('error')).error).toContain(String(limits.textCodePoints));
  expect(await client.closed).toMatchObject({ code: 1008 });
});

test('treats a speaker too many, whose tag comes in two messages, as an error that is logged', async () => {
  const mock = await start();
  const client = await openLive(mock);
  client.send(startMessage({ reference_id: ['a'] }), text('<|spea'), text('ker:1|>b'));
  expect((await client.next('error')).error).toContain('speaker');
  expect(await client.closed).toMatchObject({ code: 1008 });
  // Nothing is spoken of what came in one go, as in the sandbox.
  expect(eventsOf(client)).toEqual(['error']);
  expect(mock.calls[0]?.valid).toBe(false);
});

test.each([
  ['text', '{"event":"stop"}'],
  ['bytes that are not MessagePack', Buffer.of(0xdf, 0xff, 0xff, 0xff, 0xff)],
])('closes with 1007 for %s', async (_, frame) => {
  const mock = await start();
  const client = await openLive(mock);
  client.socket.send(frame);
  expect(await client.closed).toMatchObject({ code: 1007 });
  expect(mock.calls[0]?.violations).toMatchObject([{ rule: 'malformed-body' }]);
});

test('an upgrade gets the answer that it prefers', async () => {
  const refused = await refusedUpgrade(await start(), { ...liveHeaders, prefer: 'code=429' });
  expect(refused).toMatchObject({ status: 429 });
});

test('sends no audio for a stop without text, as the sandbox does', async () => {
  const client = await openLive(await start());
  client.send(startMessage({ format: 'wav' }), text(' \n'), flush, stop);
  expect(await client.next('finish')).toEqual({ event: 'finish', reason: 'stop' });
  expect(client.audio()).toHaveLength(0);
  client.socket.close();
});

import { setTimeout as wait } from 'node:timers/promises';
import { type LiveClient, liveHeaders, openLive, refusedUpgrade } from '@speech-api/server/testing';
import { expect, test } from 'vitest';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { creditOf, start } from '../testing/sandboxes.ts';

const startMessage = { event: 'start', request: { text: '' } };
const stop = { event: 'stop' };
const text = (words: string) => ({ event: 'text', text: words });
const twoPieces = Buffer.from([0, 0, 0, 0, 1, 1, 1, 1]);

const eventsOf = (client: LiveClient) => client.received.map(({ event }) => event);

test('section 4.6: speaks what was written and finishes once, after stop', async () => {
  const speech = createFakeSpeech();
  const client = await openLive(await start({ speech }));
  client.send(startMessage, text('The tide '), text('comes in.'), stop);
  expect(await client.next('finish')).toEqual({ event: 'finish', reason: 'stop' });
  expect(eventsOf(client)).toEqual(['audio', 'audio', 'finish']);
  expect(client.audio()).toEqual(twoPieces);
  expect(speech.jobs).toMatchObject([{ text: 'The tide comes in.', model: 's2-pro', format: 'mp3' }]);
  client.socket.close();
});

test('section 4.6: speaks the text of start, and at a flush what is there, while more comes', async () => {
  const speech = createFakeSpeech();
  const client = await openLive(await start({ speech }));
  client.send({ event: 'start', request: { text: 'One', format: 'opus' } }, text(' two.'), {
    event: 'flush',
  });
  await client.next('audio');
  await client.next('audio');
  client.send(text('Three.'), stop);
  await client.next('finish');
  expect(speech.jobs.map(({ text: spoken }) => spoken)).toEqual(['One two.', 'Three.']);
  client.socket.close();
});

test('closes with 1000 when no other start comes, or none at all', async () => {
  const sandbox = await start({ liveIdleSeconds: 0.2 });
  const client = await openLive(sandbox);
  client.send(startMessage);
  await wait(400);
  client.send(text('Slowly written.'), stop);
  await client.next('finish');
  expect(await client.closed).toMatchObject({ code: 1000 });
  expect(await (await openLive(sandbox)).closed).toMatchObject({ code: 1000 });
});

test.each([
  ['text before start', [text('a')]],
  ['a second start', [startMessage, startMessage]],
  ['text after stop', [startMessage, text('a'), stop, text('b')]],
  ['start before finish', [startMessage, text('a'), stop, startMessage]],
])('takes %s for out of order: an error, then 1008', async (_, messages) => {
  const speech = createFakeSpeech({
    before: (_piece, signal) => wait(60_000, undefined, { signal }),
  });
  const client = await openLive(await start({ speech }));
  client.send(...messages);
  expect((await client.next('error')).error).toContain('out of order');
  expect(await client.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('out of order') });
  expect(eventsOf(client)).toEqual(['error']);
  await expect.poll(() => speech.ended).toBe(speech.jobs.length);
});

test('refuses a start whose sample is damaged, and drops what came behind it', async () => {
  const speech = createFakeSpeech();
  const client = await openLive(await start({ speech }));
  const request = { text: '', references: [{ audio: Uint8Array.of(1, 2, 3), text: 'no audio' }] };
  client.send({ event: 'start', request }, text('One.'), stop);
  expect((await client.next('error')).error).toContain('`references[0].audio`');
  expect((await client.closed).code).toBe(1008);
  expect(speech.jobs).toEqual([]);
});

test('makes no more than a slow reader takes', async () => {
  const speech = createFakeSpeech({ pieces: 10_000, pieceBytes: 64 * 1024 });
  const client = await openLive(await start({ speech }));
  client.send(startMessage, text('a'), stop);
  await client.next('audio');
  client.socket.pause();
  // System buffers hold part of the 640 MB; after that the engine waits, so two readings in a row are equal.
  let made = -1;
  const standsStill = (): boolean => {
    const before = made;
    made = speech.made;
    return made === before;
  };
  await expect.poll(standsStill, { interval: 200 }).toBe(true);
  expect(made * 64 * 1024).toBeLessThan(64 * 1024 * 1024);
  client.socket.terminate();
  await expect.poll(() => speech.ended).toBe(1);
});

test('stops the work at once when the socket is gone', async () => {
  const sandboxes = createFakeSpeech({ before: (_, signal) => wait(60_000, undefined, { signal }) });
  const sandbox = await start({ speech: sandboxes });
  for (const leave of ['terminate', 'close'] as const) {
    const client = await openLive(sandbox);
    const { jobs, ended } = { jobs: sandboxes.jobs.length, ended: sandboxes.ended };
    client.send(startMessage, text('a'), stop);
    await expect.poll(() => sandboxes.jobs.length).toBe(jobs + 1);
    client.socket[leave]();
    await expect.poll(() => sandboxes.ended).toBe(ended + 1);
  }
});

test('tells of a failure: after stop by finish, and goes on; before it by error, then 1011', async () => {
  const log: string[] = [];
  const speech = createFakeSpeech({ failsAt: 1 });
  const sandbox = await start({ speech, logger: (line) => void log.push(line) });
  const client = await openLive(sandbox);
  client.send(startMessage, text('a'), stop);
  expect(await client.next('finish')).toMatchObject({ reason: 'error', message: expect.any(String) });
  client.send(startMessage, text('a'), { event: 'flush' });
  expect((await client.next('error')).error).toContain('failed');
  expect(await client.closed).toMatchObject({ code: 1011 });
  expect(log.join('\n')).toContain('the fake engine fails as told');
});

test('reserves credit for the text that comes, charges what was spoken, and refuses an account without any', async () => {
  const sandbox = await start();
  const credit = async () => Number(await creditOf(sandbox));
  const before = await credit();
  const client = await openLive(sandbox);
  client.send(startMessage, text('Four words of text.'), stop);
  await client.next('finish');
  const whole = before - (await credit());
  expect(whole).toBeGreaterThan(0);
  client.send(startMessage, text('Four words of text.'), { event: 'flush' }, text('Not spoken.'.repeat(50)));
  await client.next('audio');
  await client.next('audio');
  client.socket.close();
  await expect.poll(async () => before - (await credit())).toBeCloseTo(2 * whole, 9);
  const headers = { ...liveHeaders, authorization: 'Bearer sandbox-empty' };
  expect((await refusedUpgrade(sandbox, headers)).status).toBe(402);
});

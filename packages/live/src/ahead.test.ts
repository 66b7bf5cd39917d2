import { describe, expect, test } from 'vitest';
import { Ahead } from './ahead.ts';
import { createConnectLive } from './connection.ts';
import { openNodeSocket } from './node-socket.ts';
import { collect, failureOf, speaks, startScript } from './testing/scripted-server.ts';

const connect = createConnectLive(openNodeSocket);
const pcm = { format: 'pcm', sample_rate: 8000 } as const;
const sentence = 'Here is one more sentence. ';
/** Fifteen characters a second. */
const bytesPerCharacter = Math.ceil(16_000 / 15);

async function* stored(text: string): AsyncGenerator<string> {
  yield* text.split(/(?<= )/);
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}

describe.each([
  ['a string', (text: string) => text],
  ['a source that never waits', stored],
  ['a source that gives all at once', inOnePiece],
])('%s', (_, sourceOf) => {
  test('is held while nobody has heard what was sent, and what is not sent is not counted', async () => {
    const { source, peers } = await startScript(speaks(bytesPerCharacter));
    const connection = await connect(source, pcm);
    for (const [aheadSeconds, most] of [
      [4, 90],
      [1, 40],
    ] as const) {
      const speech = connection.speak(sourceOf(sentence.repeat(100)), { aheadSeconds, played: () => 0 });
      // All that was sent has come, and still more is held.
      await expect.poll(() => speech.metrics.bytes).toBeGreaterThan(aheadSeconds * 16_000);
      await expect.poll(() => speech.metrics.bytes).toBe(speech.metrics.characters * bytesPerCharacter);
      speech.interrupt();
      expect(speech.metrics.characters).toBeLessThan(most);
    }
    const sent = peers.flatMap(({ received }) => received.map(({ text }) => String(text ?? ''))).join('');
    expect(sent.length).toBeLessThan(130);
    connection.close();
  });

  test('is sent whole and in order as it is played', async () => {
    const { source, peers } = await startScript(speaks(bytesPerCharacter));
    const connection = await connect(source, pcm);
    let played = 0;
    const speech = connection.speak(sourceOf(sentence.repeat(30)), { aheadSeconds: 1, played: () => played });
    for await (const audio of speech) played += audio.length / 16;
    const sent = peers[0]?.received.map(({ text }) => String(text ?? '')).join('');
    expect(sent).toBe(sentence.repeat(30));
    expect(peers[0]?.received.at(-1)).toEqual({ event: 'stop' });
    connection.close();
  });

  test('is sent to where it was read when the caller ends it while it is held', async () => {
    const { source, peers } = await startScript(speaks(bytesPerCharacter));
    const connection = await connect(source, pcm);
    let played = 0;
    const speech = connection.speak(sourceOf(sentence.repeat(8)), { aheadSeconds: 1, played: () => played });
    await expect.poll(() => speech.metrics.bytes).toBeGreaterThan(16_000);
    speech.end();
    for await (const audio of speech) played += audio.length / 16;
    const sent = String(peers[0]?.received.map(({ text }) => String(text ?? '')).join(''));
    expect(sentence.repeat(8).startsWith(sent)).toBe(true);
    expect(sent.length).toBe(sourceOf === stored ? sent.length : sentence.length * 8);
    expect(sent).toMatch(/[. ]$/);
    connection.close();
  });
});

test('a text without an end of a sentence is held too, and nothing waits at the server meanwhile', async () => {
  const { source, peers } = await startScript(speaks(bytesPerCharacter));
  const connection = await connect(source, pcm);
  const speech = connection.speak('word '.repeat(500), { played: () => 0 });
  await peers[0]?.until('flush');
  await expect.poll(() => speech.metrics.bytes).toBeGreaterThan(0);
  expect(speech.metrics.characters).toBeLessThan(450);
  speech.interrupt();
  connection.close();
});

test('a position of playback that is not a number ends the utterance and names the option', async () => {
  const { source } = await startScript(speaks(bytesPerCharacter));
  const connection = await connect(source, pcm);
  const speech = connection.speak(sentence.repeat(9), { played: () => Number.NaN });
  expect(await failureOf(collect(speech))).toMatchObject({
    field: 'played',
    message: expect.stringMatching(/played\(\) gave NaN/),
  });
  connection.close();
});

/** A clock that stands still between the lines of a test. */
function aheadAt(exact: boolean, played?: () => number) {
  const clock = { now: 0 };
  return { clock, ahead: new Ahead(exact, played, () => clock.now) };
}

describe('what is ahead', () => {
  test('is the text that was sent, before its audio comes and after', () => {
    const { ahead, clock } = aheadAt(true);
    ahead.sent('x'.repeat(30));
    expect(ahead.seconds()).toBeCloseTo(2);
    clock.now = 500;
    ahead.received(500);
    expect(ahead.seconds()).toBeCloseTo(2);
    // A player cannot play what has not come.
    clock.now = 1400;
    expect(ahead.seconds()).toBeCloseTo(1.5);
    ahead.received(1500);
    expect(ahead.seconds()).toBeCloseTo(1.5);
    ahead.sent('语'.repeat(5));
    expect(ahead.seconds()).toBeCloseTo(2.5);
  });

  test('a voice that is slower or quicker than the estimate is learnt', () => {
    const { ahead, clock } = aheadAt(true);
    ahead.sent('x'.repeat(30));
    ahead.received(6000);
    clock.now = 6000;
    ahead.sent('x'.repeat(30));
    expect(ahead.seconds()).toBeCloseTo(6);
    ahead.received(0);
    clock.now = 7000;
    expect(ahead.seconds()).toBe(0);
    ahead.sent('x'.repeat(20));
    expect(ahead.seconds()).toBeCloseTo(2);
  });

  test('a small first piece does not make a voice quick', () => {
    const { ahead, clock } = aheadAt(true);
    ahead.sent('x'.repeat(60));
    ahead.received(10);
    clock.now = 1000;
    expect(ahead.seconds()).toBe(0);
    ahead.sent('x'.repeat(60));
    expect(ahead.seconds()).toBeCloseTo(2);
  });

  test('text that makes no audio is given up, in time but not while a socket is paused', () => {
    const { ahead, clock } = aheadAt(true, () => 0);
    ahead.sent('x'.repeat(90));
    clock.now = 9000;
    expect(ahead.seconds()).toBeCloseTo(6);
    ahead.pause(true);
    clock.now = 90_000;
    expect(ahead.seconds()).toBeCloseTo(6);
    ahead.pause(false);
    expect(ahead.seconds()).toBeCloseTo(6);
    clock.now = 100_000;
    expect(ahead.seconds()).toBe(0);
  });

  test('a player that stands still holds what it has; at its end, or where lengths are guessed, it does not', () => {
    for (const [exact, left, after] of [
      [true, 5000, 5],
      [true, 300, 0],
      [false, 5000, 0],
    ] as const) {
      let position = 0;
      const { ahead, clock } = aheadAt(exact, () => position);
      ahead.sent('x'.repeat(90));
      ahead.received(6000);
      clock.now = 5000;
      // It has not begun.
      expect(ahead.seconds()).toBeCloseTo(6);
      position = 6000 - left;
      expect(ahead.seconds()).toBeCloseTo(left / 1000);
      clock.now = 6000;
      expect(ahead.seconds()).toBeCloseTo(after);
      // Believed once until it moves again.
      ahead.received(4000);
      clock.now = 9000;
      expect(ahead.seconds()).toBeCloseTo(after + 4);
    }
  });
});

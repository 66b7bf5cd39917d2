import { describe, expect, test } from 'vitest';
import { Pace } from './pace.ts';
import { after, collect, connectTo, failureOf, speaks } from './testing/scripted-server.ts';

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
    const { connection, peers } = await connectTo(speaks(bytesPerCharacter), pcm);
    for (const [aheadSeconds, most] of [
      [4, 90],
      [1, 40],
    ] as const) {
      const speech = connection.speak(sourceOf(sentence.repeat(100)), { aheadSeconds, played: () => 0 });
      // All sent text has been spoken, and more is still held back.
      await expect.poll(() => speech.metrics.bytes).toBeGreaterThan(aheadSeconds * 16_000);
      await expect.poll(() => speech.metrics.bytes).toBe(speech.metrics.characters * bytesPerCharacter);
      speech.interrupt();
      expect(speech.metrics.characters).toBeLessThan(most);
    }
    const sent = peers.flatMap(({ received }) => received.map(({ text }) => String(text ?? ''))).join('');
    expect(sent.length).toBeLessThan(130);
  });

  test('is sent whole and in order as it is played', async () => {
    const { connection, peers } = await connectTo(speaks(bytesPerCharacter), pcm);
    let played = 0;
    const speech = connection.speak(sourceOf(sentence.repeat(30)), { aheadSeconds: 1, played: () => played });
    for await (const audio of speech) played += audio.length / 16;
    const sent = peers[0]?.received.map(({ text }) => String(text ?? '')).join('');
    expect(sent).toBe(sentence.repeat(30));
    expect(peers[0]?.received.at(-1)).toEqual({ event: 'stop' });
  });
});

test('unread audio holds text back, and a source that is filled before anything is read does not hang', async () => {
  const { connection, peers } = await connectTo(speaks(bytesPerCharacter), pcm);
  const { readable, writable } = new TransformStream<string, string>();
  const speech = connection.speak(readable);
  const writer = writable.getWriter();
  for (let count = 0; count < 100; count += 1) await writer.write(sentence);
  await writer.close();
  await expect.poll(() => speech.metrics.bytes).toBe(speech.metrics.characters * bytesPerCharacter);
  expect(speech.metrics.characters).toBeLessThan(120);
  // The reader is as fast as the server, so nothing waits as long as playback would take.
  expect(await collect(speech)).toHaveLength(sentence.length * 100 * bytesPerCharacter);
  expect(peers[0]?.received.map(({ text }) => text ?? '').join('')).toBe(sentence.repeat(100));
});

test('a text without an end of a sentence is held too, and nothing waits at the server meanwhile', async () => {
  const { connection, peers } = await connectTo(speaks(bytesPerCharacter), pcm);
  const speech = connection.speak('word '.repeat(500), { played: () => 0 });
  await peers[0]?.until('flush');
  await expect.poll(() => speech.metrics.bytes).toBeGreaterThan(0);
  expect(speech.metrics.characters).toBeLessThan(450);
  speech.interrupt();
});

test('a position of playback that is not a number ends the utterance and names the option', async () => {
  const { connection } = await connectTo(speaks(bytesPerCharacter), pcm);
  const speech = connection.speak(sentence.repeat(9), { played: () => Number.NaN });
  expect(await failureOf(collect(speech))).toMatchObject({
    field: 'played',
    message: expect.stringMatching(/played\(\) gave NaN/),
  });
});

describe('what is ahead of the listener', () => {
  const second = 16_000;

  function paceAt(played?: () => number) {
    const clock = { now: 0 };
    return { clock, pace: new Pace(pcm, played, () => clock.now) };
  }

  test('is text at fifteen letters a second until its audio comes, and audio until it is played', () => {
    let played = 0;
    const { pace } = paceAt(() => played);
    pace.sent('x'.repeat(90));
    expect(pace.secondsAhead()).toBeCloseTo(6);
    pace.received(2 * second);
    expect(pace.secondsAhead()).toBeCloseTo(6);
    played = 1500;
    expect(pace.secondsAhead()).toBeCloseTo(4.5);
    pace.sent('你好');
    expect(pace.secondsAhead()).toBeCloseTo(4.9);
  });

  test('is only the audio that came once no more of it comes, but not while a socket is paused', () => {
    const { pace, clock } = paceAt(() => 0);
    pace.sent('x'.repeat(90));
    clock.now = 9000;
    expect(pace.secondsAhead()).toBeCloseTo(6);
    pace.pause(true);
    clock.now = 90_000;
    expect(pace.secondsAhead()).toBeCloseTo(6);
    pace.pause(false);
    expect(pace.secondsAhead()).toBeCloseTo(6);
    pace.received(second);
    clock.now = 91_000;
    expect(pace.secondsAhead()).toBeCloseTo(1);
    pace.sent('[laughing]');
    clock.now = 102_000;
    expect(pace.secondsAhead()).toBeCloseTo(1);
  });
});

test.each([
  'Hello there, this is a long story.',
  '今日はとても良い天気ですから、海へ行きましょう。',
  '今天天气很好，我们一起去海边吧。',
])('half of the audio of "%s" is about half of what was heard', async (text) => {
  // Latin scripts take 15 characters a second, Chinese and Japanese some five; 32 000 bytes are one second.
  const perCharacter = /\p{Script=Latin}/u.test(text) ? 2000 : 6400;
  const { connection } = await connectTo(speaks(perCharacter), { format: 'pcm', sample_rate: 16_000 });
  const speech = connection.speak(text);
  const bytes = (await collect(speech)).length;
  const { heard } = speech.interrupt({ playedMs: bytes / 64 });
  expect(heard.length / text.length).toBeGreaterThan(0.3);
  expect(heard.length / text.length).toBeLessThan(0.7);
});

test('a digit takes the time of the letters that it is spoken with', async () => {
  // "two thousand eight hundred forty-seven" and so on: 135 letters, each a tenth of a second.
  const { connection } = await connectTo(
    after('stop', (peer) => [peer.audio(135 * 1600), peer.finish()]),
    { format: 'pcm', sample_rate: 8000 },
  );
  const speech = connection.speak('In 2023, 2,847 boats and 1,956 crews came to the harbour.');
  await collect(speech);
  // "In twenty twenty-three, two thousand eight hundred forty-seven boats" are 68 letters.
  expect(speech.interrupt({ playedMs: 6800 }).heard).toBe('In 2023, 2,847 boats');
});

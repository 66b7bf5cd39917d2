import { expect, test } from 'vitest';
import { AudioFormatError, opusPacketSamples } from '../index.ts';
import { inPieces, opusTone } from '../testing/audio.ts';
import { createFakeBrowser, type FakeContext, settle } from '../testing/fake-browser.ts';
import { type OpenPlayerOptions, openPlayerOn } from './open-player.ts';
import { Resampler } from './resampler.ts';
import { SampleLine } from './sample-line.ts';

const rate = 8000;

/** A browser whose audio thread gives a block whenever the test turns the clock. */
function open(options: OpenPlayerOptions = {}, format: 'pcm' | 'wav' | 'opus' = 'pcm', contextRate = rate) {
  const browser = createFakeBrowser({ samplesOf: (packet) => opusPacketSamples(packet) ?? 0 });
  const heard: number[] = [];
  let fill: SampleLine['fill'] = () => {};
  let gesture = () => {};
  const context = browser.platform.createContext(contextRate) as unknown as FakeContext;
  const player = openPlayerOn(
    {
      codecs: browser.platform.codecs,
      createContext: () => context as unknown as AudioContext,
      async openLine(_context, onReport) {
        const line = new SampleLine(contextRate, onReport);
        fill = (output, time) => line.fill(output, time);
        return { post: (message) => line.handle(structuredClone(message)), disconnect() {} };
      },
      onGesture(unlock) {
        gesture = unlock;
        return () => {
          gesture = () => {};
        };
      },
    },
    format,
    { sampleRate: rate, ...options },
  );
  async function advance(seconds: number) {
    const frames = 80;
    for (let left = Math.round((seconds * contextRate) / frames); left > 0; left--) {
      const output = new Float32Array(frames);
      context.currentTime += frames / contextRate;
      fill(output, context.currentTime);
      heard.push(...output);
      await settle();
    }
  }
  return { player, context, heard, advance, touch: () => gesture() };
}

/** Samples that count up, so that each is known. */
function ramp(seconds: number, from = 1): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Int16Array.from({ length: seconds * rate }, (_, index) => from + index).buffer);
}

async function* speechOf(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array, void, void> {
  yield* pieces;
}

/** Speech that arrives when the test says so. */
function openSpeech() {
  const waiting: ((result: IteratorResult<Uint8Array>) => void)[] = [];
  const state = { isReleased: false };
  const iterator: AsyncIterator<Uint8Array> = {
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async return() {
      state.isReleased = true;
      return { value: undefined, done: true };
    },
  };
  return {
    speech: { [Symbol.asyncIterator]: () => iterator },
    state,
    async send(bytes: Uint8Array) {
      await settle();
      waiting.shift()?.({ value: bytes, done: false });
      await settle();
    },
    async end() {
      await settle();
      waiting.shift()?.({ value: undefined, done: true });
      await settle();
    },
  };
}

function audible(heard: readonly number[]): number[] {
  return heard.filter((sample) => sample !== 0).map((sample) => Math.round(sample * 32768));
}

test('utterances are heard one after the other, sample for sample, and drained resolves after the last', async () => {
  const { player, heard, advance } = open();
  let isDrained = false;
  const first = player.play(speechOf(...inPieces(ramp(0.3), 777)));
  const second = player.play(speechOf(ramp(0.2, 5000)));
  player.drained.then(() => {
    isDrained = true;
  });
  await Promise.all([first, second]);
  await advance(0.4);
  expect(isDrained).toBe(false);
  await advance(0.2);
  await player.drained;
  const expected = [...new Int16Array(ramp(0.3).buffer), ...new Int16Array(ramp(0.2, 5000).buffer)];
  expect(audible(heard)).toEqual(expected);
  expect(player.underruns).toBe(0);
});

test('an utterance shorter than the start buffer is played too', async () => {
  const { player, heard, advance } = open();
  await player.play(speechOf(ramp(0.01)));
  await advance(0.05);
  expect(audible(heard)).toEqual([...new Int16Array(ramp(0.01).buffer)]);
  await player.drained;
});

test('nothing is heard before the start buffer is full, and it grows when the sound runs dry', async () => {
  const { player, heard, advance } = open();
  const { speech, send, end } = openSpeech();
  const playing = player.play(speech);
  await send(ramp(0.1));
  await advance(0.1);
  expect(audible(heard)).toEqual([]);
  await send(ramp(0.1));
  await advance(0.3);
  expect(audible(heard).length).toBe(0.2 * rate);
  expect(player.underruns).toBe(1);
  const grown = player.latencyMilliseconds;
  await send(ramp(0.2));
  await advance(0.2);
  // As much as sufficed at first is not enough any more.
  expect(audible(heard).length).toBe(0.2 * rate);
  await send(ramp(0.1));
  await end();
  await playing;
  await advance(0.5);
  expect(audible(heard).length).toBe(0.5 * rate);
  expect(grown).toBeGreaterThan(200);
  // A service that pauses does so again: the buffer shrinks only after ten utterances without an underrun.
  for (let round = 0; round < 10; round += 1) {
    expect(player.latencyMilliseconds).toBe(grown);
    await player.play(speechOf(ramp(0.3)));
    await advance(0.4);
  }
  expect(player.latencyMilliseconds).toBeLessThan(grown);
});

test('stop is silent at once, releases what is read, and gives the milliseconds heard', async () => {
  const { player, context, heard, advance } = open();
  const { speech, send, state } = openSpeech();
  const playing = player.play(speech);
  expect(player.stop()).toBe(0);
  await playing;
  const second = openSpeech();
  const again = player.play(second.speech);
  await second.send(ramp(1));
  await advance(0.4);
  context.outputLatency = 0.05;
  expect(player.playedMilliseconds).toBeCloseTo(350, 0);
  const before = heard.length;
  expect(player.stop()).toBeCloseTo(350, 0);
  await player.drained;
  await settle();
  await advance(0.2);
  expect(audible(heard.slice(before))).toEqual([]);
  expect(second.state.isReleased).toBe(true);
  expect(player.stop()).toBe(0);
  await second.end();
  await again;
  await send(ramp(1));
  expect(state.isReleased).toBe(false);
  context.outputLatency = 0;
  await player.play(speechOf(ramp(0.2, 9000)));
  await advance(0.3);
  expect(audible(heard.slice(before))).toEqual([...new Int16Array(ramp(0.2, 9000).buffer)]);
  expect(player.stop()).toBeCloseTo(200, 0);
});

test('stop between two utterances says that nothing of the next was heard', async () => {
  const { player, advance } = open();
  await player.play(speechOf(ramp(0.2)));
  await advance(0.3);
  const { speech } = openSpeech();
  const playing = player.play(speech);
  await advance(0.1);
  expect(player.stop()).toBe(0);
  await player.drained;
  // Although the connection never answered.
  await playing;
});

test('what came before a broken connection is heard, and play says what broke', async () => {
  const { player, heard, advance } = open();
  async function* broken() {
    yield ramp(0.2);
    throw new Error('connection reset');
  }
  await expect(player.play(broken())).rejects.toThrow('connection reset');
  await advance(0.3);
  await player.drained;
  expect(audible(heard).length).toBe(0.2 * rate);
});

test('bytes of another format fail the utterance and not the player', async () => {
  const { player, heard, advance } = open({}, 'wav');
  const page = new TextEncoder().encode('<html>');
  await expect(player.play(speechOf(page))).rejects.toSatisfy(AudioFormatError.isInstance);
  await advance(0.1);
  await player.drained;
  expect(audible(heard)).toEqual([]);
});

test('opus is decoded by the browser, while it arrives', async () => {
  const { player, heard, advance } = open({ sampleRate: 48_000 }, 'opus', 48_000);
  const bytes = await opusTone(0.5);
  await player.play(speechOf(...inPieces(bytes, 500)));
  await advance(0.7);
  await player.drained;
  expect(heard.filter((sample) => sample !== 0).length).toBeGreaterThan(0.45 * 48_000);
});

test('reading waits while enough is buffered', async () => {
  const { player, advance } = open({ bufferSeconds: 0.5 });
  let given = 0;
  async function* endless() {
    for (; given < 40; given += 1) yield ramp(0.1);
  }
  const playing = player.play(endless());
  await advance(0.1);
  expect(given).toBeLessThan(10);
  await advance(5);
  await playing;
  expect(given).toBe(40);
});

test('a touch lets sound begin where the browser held it back', async () => {
  const { player, context, touch } = open();
  await context.suspend();
  touch();
  await settle();
  expect(context.state).toBe('running');
  await player.close();
  expect(context.state).toBe('closed');
});

test('a player whose audio thread does not open says so and drains', async () => {
  const browser = createFakeBrowser({});
  const player = openPlayerOn(
    {
      ...browser.platform,
      openLine: () => Promise.reject(new Error('no worklet')),
      onGesture: () => () => {},
    },
    'pcm',
  );
  await expect(player.play(speechOf(ramp(0.1)))).rejects.toThrow('no worklet');
  await player.drained;
});

test.each([
  [24_000, 48_000],
  [44_100, 48_000],
  [48_000, 44_100],
  [8000, 8000],
])('from %i to %i Hz a tone stays that tone, however it is cut', (from, to) => {
  const tone = Float32Array.from({ length: from / 10 }, (_, index) =>
    Math.sin((2 * Math.PI * 440 * index) / from),
  );
  for (const size of [1, 7, 441, tone.length]) {
    const resampler = new Resampler(from, to);
    const output: number[] = [];
    for (let start = 0; start < tone.length; start += size) {
      output.push(...resampler.push(tone.subarray(start, start + size)));
    }
    output.push(...resampler.end());
    expect(Math.abs(output.length - to / 10)).toBeLessThanOrEqual(1);
    for (let index = 4; index < output.length - 4; index++) {
      expect(output[index]).toBeCloseTo(Math.sin((2 * Math.PI * 440 * index) / to), 2);
    }
  }
});

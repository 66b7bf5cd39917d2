import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { joinBytes } from '../bytes.ts';
import { AudioFormatError, opusPacketSamples } from '../index.ts';
import { inPieces, mp3Tone, opusTone, pcmTone, wavTone } from '../testing/audio.ts';
import { createFakeBrowser, FakeContext, openFakePlayer, settle } from '../testing/fake-browser.ts';
import { openPlayer } from './index.ts';
import { QueuePlayer } from './open-player.ts';

const rate = 8000;
const open = (options: Parameters<typeof openFakePlayer>[1] = {}) =>
  openFakePlayer('pcm', { sampleRate: rate, ...options });

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

function audible(samples: readonly number[]): number[] {
  return samples.filter((sample) => sample !== 0).map((sample) => Math.round(sample * 32768));
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
  // The buffer that was enough at first no longer is.
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

test('the latency of Firefox on Linux is never read', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Firefox/153.0' });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { player, context, advance } = open();
  context.outputLatency = 0.05;
  const playing = player.play(speechOf(ramp(1)));
  await advance(0.4);
  expect(player.playedMilliseconds).toBeGreaterThan(350);
  player.stop();
  await playing;
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
  // The connection never answered, but `play` resolves.
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

test('a stream in another format, and one before the utterance that seeks, are closed', async () => {
  const wav = openFakePlayer('wav');
  const page = openSpeech();
  const failing = expect(wav.player.play(page.speech)).rejects.toSatisfy(AudioFormatError.isInstance);
  await page.send(new TextEncoder().encode('<html>'));
  await failing;
  expect(page.state.isReleased).toBe(true);
  const { player, heard, advance } = open({ seekable: true });
  const stalled = openSpeech();
  const first = player.play(stalled.speech);
  await stalled.send(ramp(0.1));
  const second = player.play(speechOf(ramp(0.3, 5000)));
  player.seek(0);
  // The connections never answered, but both calls resolve.
  await Promise.all([first, second]);
  expect(stalled.state.isReleased).toBe(true);
  await advance(0.5);
  expect(audible(heard)).toEqual([...new Int16Array(ramp(0.3, 5000).buffer)]);
});

test.each(['suspended', 'interrupted'] as const)(
  'a touch lets %s sound go on, unless it is paused',
  async (state) => {
    const { player, context, touch } = open();
    await settle();
    for (let round = 0; round < 2; round += 1) {
      context.state = state;
      touch();
      await settle();
      expect(context.state).toBe('running');
    }
    await player.pause();
    context.state = state;
    touch();
    await settle();
    expect(context.state).toBe(state);
    await player.resume();
    expect(context.state).toBe('running');
    await player.close();
    await expect.poll(() => context.state).toBe('closed');
  },
);

test('without a sound device a player says after 3 s that no sound comes out, and closes at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const printed = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => void vi.useRealTimers());
  const { player, context, advance } = open();
  await player.play(speechOf(ramp(0.5)));
  await advance(0.1);
  vi.advanceTimersByTime(9000);
  expect(printed).not.toHaveBeenCalled();
  player.stop();
  // From here on the clock of the context stands still.
  await player.play(speechOf(ramp(0.5)));
  vi.advanceTimersByTime(2999);
  expect(printed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(printed.mock.calls).toEqual([[expect.stringContaining('no sound comes out')]]);
  context.close = () => new Promise(() => {});
  await player.close();
});

test('a player whose audio thread does not open says so and drains', async () => {
  const player = new QueuePlayer(
    {
      codecs: createFakeBrowser().codecs,
      createContext: (sampleRate) => new FakeContext(sampleRate) as unknown as AudioContext,
      openLine: () => Promise.reject(new Error('no worklet')),
      onGesture: () => () => {},
    },
    'pcm',
  );
  await expect(player.play(speechOf(ramp(0.1)))).rejects.toThrow('no worklet');
  await player.drained;
});

test('a page that is not secure is told so', async () => {
  vi.stubGlobal('AudioContext', class extends FakeContext {});
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const player = openPlayer('pcm');
  await expect(player.play(speechOf(ramp(0.1)))).rejects.toThrow('serve this page over https');
  await player.close();
});

test('sound goes to the output of the caller, whose context plays and stays open', async () => {
  const connected: unknown[] = [];
  vi.stubGlobal(
    'AudioWorkletNode',
    class {
      port = { postMessage: () => {} };
      connect = (node: unknown) => connected.push(node);
      disconnect = () => {};
    },
  );
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const context = Object.assign(new FakeContext(8000), { audioWorklet: { addModule: async () => {} } });
  const output = { context } as unknown as AudioNode;
  const player = openPlayer('pcm', { output });
  await player.play(speechOf(ramp(0.1)));
  expect(connected).toEqual([output]);
  await player.close();
  expect(context.state).not.toBe('closed');
});

test('holds the sound while paused, reads no more than the buffer takes, and continues', async () => {
  const { player, heard, advance } = open({ bufferSeconds: 0.5 });
  let pieces = 0;
  async function* endless() {
    for (; pieces < 40; pieces += 1) yield ramp(0.1);
  }
  const playing = player.play(endless());
  await advance(0.3);
  await player.pause();
  const [position, length] = [player.playedMilliseconds, heard.length];
  await advance(1);
  expect([player.playedMilliseconds, heard.length]).toEqual([position, length]);
  expect(pieces).toBeLessThan(12);
  await player.resume();
  await advance(5);
  await playing;
  expect(player.playedMilliseconds).toBeCloseTo(4000, 0);
});

test('time never goes back, though the reported delay wavers', async () => {
  const { player, context, advance } = open();
  await player.play(speechOf(ramp(2)));
  await advance(1);
  const before = player.playedMilliseconds;
  context.outputLatency = 0.5;
  expect(player.playedMilliseconds).toBe(before);
});

test('gives all decoded audio before it is heard', async () => {
  const seen: number[] = [];
  const { player } = open({ onSamples: (samples) => seen.push(...samples) });
  await player.play(speechOf(...inPieces(ramp(0.3), 999)));
  expect(audible(seen)).toEqual([...new Int16Array(ramp(0.3).buffer)]);
  expect(player.decodedSeconds).toBeCloseTo(0.3);
});

describe('seek', () => {
  test.each([0, 0.25, 1.2345, 9])('continues sample for sample from %d s, and drains again', async (from) => {
    const { player, heard, advance } = open({ seekable: true });
    await player.play(speechOf(...inPieces(ramp(2), 3001)));
    await advance(0.7);
    const before = heard.length;
    player.seek(from);
    expect(player.playedMilliseconds).toBeGreaterThanOrEqual(Math.min(from, 2) * 1000);
    expect(player.playedMilliseconds).toBeLessThan(from * 1000 + 1);
    await advance(2.2);
    await player.drained;
    const start = Math.min(Math.ceil(from * rate), 2 * rate);
    expect(audible(heard.slice(before))).toEqual([...new Int16Array(ramp(2).buffer).slice(start)]);
    expect(player.playedMilliseconds).toBeCloseTo(2000, 0);
  });

  test('goes back while audio still comes, and what comes is heard in its place', async () => {
    const { player, heard, advance } = open({ seekable: true });
    const { speech, send, end } = openSpeech();
    const playing = player.play(speech);
    await send(ramp(1));
    await advance(0.8);
    const before = heard.length;
    player.seek(0.5);
    await send(ramp(1, 1 + rate));
    await end();
    await playing;
    await advance(1.7);
    await player.drained;
    expect(audible(heard.slice(before))).toEqual([...new Int16Array(ramp(2).buffer).slice(rate / 2)]);
  });

  test('plays again after the end; a paused player stays paused', async () => {
    const { player, heard, advance } = open({ seekable: true });
    await player.play(speechOf(ramp(0.5)));
    await advance(0.6);
    await player.drained;
    await player.pause();
    const before = heard.length;
    player.seek(0.25);
    await advance(0.5);
    expect(heard).toHaveLength(before);
    await player.resume();
    await advance(0.5);
    await player.drained;
    expect(audible(heard.slice(before))).toHaveLength(0.25 * rate);
  });

  test('to no number is refused', () => {
    expect(() => open({ seekable: true }).player.seek(Number.NaN)).toThrow('seconds is NaN');
  });

  test('is refused where nothing is kept, and does nothing after stop()', async () => {
    expect(() => open().player.seek(0)).toThrow('seekable');
    const { player, heard, advance } = open({ seekable: true });
    await player.play(speechOf(ramp(0.5)));
    player.stop();
    player.seek(0);
    await advance(1);
    expect(audible(heard)).toEqual([]);
  });
});

describe('decoding', () => {
  test.each([1, 1000])('takes the rate of a wav file from its head, in pieces of %i bytes', async (size) => {
    const { player, heard, advance } = openFakePlayer('wav', { contextRate: 16_000 });
    await player.play(speechOf(...inPieces(wavTone(0.3, 16_000), size)));
    await advance(0.5);
    expect(audible(heard)).toEqual([...new Int16Array(pcmTone(0.3, 16_000).buffer)].filter(Boolean));
  });

  test('leaves out the start and the end that are not part of an opus file', async () => {
    const { player, browser, heard, advance } = openFakePlayer('opus', { samplesOf: opusPacketSamples });
    await player.play(speechOf(...inPieces(await opusTone(0.31), 50)));
    await advance(0.5);
    // The fake decoder counts samples, so what is heard shows where the cuts were made.
    expect(heard.filter(Boolean)).toEqual(Array.from({ length: 14_880 }, (_, index) => 312 + index));
    expect(browser.decoded.map(({ timestamp }) => timestamp).slice(0, 3)).toEqual([0, 20_000, 40_000]);
  });

  test('decodes mp3 frame by frame, and counts what a decoder still holds as buffered', async () => {
    const options = { samplesOf: () => 1152, bufferSeconds: 0.5, sampleRate: 44_100 };
    const { player, browser, heard, advance } = openFakePlayer('mp3', options);
    const file = await mp3Tone(2, 44_100);
    let isRead = false;
    const playing = player.play(speechOf(...inPieces(file, 4000))).then(() => {
      isRead = true;
    });
    await advance(0.2);
    expect([isRead, heard.some((sample) => sample !== 0)]).toEqual([false, true]);
    await advance(3);
    await playing;
    expect(joinBytes(browser.decoded.map(({ data }) => data))).toEqual(file);
    expect(browser.openDecoders).toBe(0);
  });

  test.each([
    ['has no WebCodecs', { hasCodecs: false }],
    ['cannot decode the codec', { isSupported: false }],
  ])('decodes the whole where the browser %s', async (_, options) => {
    const { player, context, heard, advance } = openFakePlayer('mp3', options);
    context.decoded = new Float32Array(48_000).fill(0.5);
    const file = await mp3Tone(1, 44_100);
    await player.play(speechOf(...inPieces(file, 1000)));
    expect(context.decodedBytes).toBe(file.length);
    await advance(1.2);
    expect(heard.filter(Boolean)).toHaveLength(48_000);
  });

  test('fails where nothing in the bytes is audio, and with the error of the decoder', async () => {
    const page = new TextEncoder().encode('{"status":500}');
    await expect(openFakePlayer('mp3').player.play(speechOf(page))).rejects.toMatchObject({
      kind: 'not-recognised',
    });
    const { player, browser } = openFakePlayer('mp3', { samplesOf: () => 1152 });
    browser.failure = new Error('cannot decode');
    const file = await mp3Tone(0.2, 44_100);
    await expect(player.play(speechOf(...inPieces(file, 1000)))).rejects.toThrow('cannot decode');
  });
});

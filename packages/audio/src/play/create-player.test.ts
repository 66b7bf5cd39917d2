import { describe, expect, test, vi } from 'vitest';
import { opusPacketSamples } from '../index.ts';
import { inPieces, join, mp3Tone, opusTone, pcmTone, wavTone } from '../testing/audio.ts';
import { createFakeBrowser, type FakeContext, settle } from '../testing/fake-browser.ts';
import { createPlayerOn } from './create-player.ts';
import type { PlayerOptions } from './types.ts';

function open(options: PlayerOptions, browser = createFakeBrowser({})) {
  const player = createPlayerOn(browser.platform, options);
  const context = browser.contexts[0];
  if (context === undefined) throw new Error('no context was made');
  return { player, context, browser };
}

/** Samples as the listener gets them; fails where pieces leave a gap or overlap. */
function heard(context: FakeContext): number[] {
  context.pieces.slice(1).forEach((piece, index) => {
    expect(piece.start).toBeCloseTo(context.pieces[index]?.end ?? 0, 9);
  });
  return context.pieces.flatMap(({ samples }) => [...samples]);
}

function samplesOf(pcm: Uint8Array): number[] {
  return [...new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2)].map((sample) => sample / 32768);
}

describe('wav and pcm', () => {
  test.each([1, 3, 1000, 9999])('are played sample for sample in pieces of %i bytes', async (size) => {
    const pcm = pcmTone(0.3, 8000);
    const { player, context } = open({ format: 'pcm', sampleRate: 8000 });
    for (const piece of inPieces(pcm, size)) await player.write(piece);
    await player.end();
    expect(heard(context)).toEqual(samplesOf(pcm));
    expect(player.decodedSeconds).toBeCloseTo(0.3);
  });

  test('take the rate of a wav file from its head', async () => {
    const { player, context } = open({ format: 'wav' });
    for (const piece of inPieces(wavTone(0.3, 16000), 777)) await player.write(piece);
    await player.end();
    expect(context.pieces[0]?.sampleRate).toBe(16000);
    expect(heard(context)).toEqual(samplesOf(pcmTone(0.3, 16000)));
  });

  test('fail with a reason when they are something else', async () => {
    const { player } = open({ format: 'wav' });
    const failed = vi.fn();
    player.addEventListener('error', failed);
    await expect(player.write(new TextEncoder().encode('<html>'))).rejects.toMatchObject({
      kind: 'not-recognised',
    });
    expect(player.state).toBe('failed');
    expect(player.error?.message).toContain('wav');
    expect(failed).toHaveBeenCalledOnce();
    await expect(player.finished).rejects.toThrow();
    await expect(player.write(new Uint8Array(2))).rejects.toThrow();
  });
});

describe('time', () => {
  test('counts what is heard, not what is queued, and subtracts the delay of the output', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000 });
    context.outputLatency = 0.1;
    await player.write(pcmTone(2, 8000));
    expect([player.currentTime, player.decodedSeconds]).toEqual([0, 2]);
    await context.advance(0.1);
    expect(player.currentTime).toBe(0);
    await context.advance(1);
    const [first] = context.pieces;
    expect(player.currentTime).toBeCloseTo(context.currentTime - (first?.start ?? 0) - 0.1);
    expect(player.bufferedSeconds).toBeCloseTo(2 - player.currentTime);
  });

  test('stops while paused and continues afterwards', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000 });
    await player.write(pcmTone(2, 8000));
    await context.advance(0.5);
    await player.pause();
    expect(player.state).toBe('paused');
    const position = player.currentTime;
    await context.advance(1);
    expect(player.currentTime).toBe(position);
    await player.resume();
    expect(player.state).toBe('playing');
    await context.advance(0.5);
    expect(player.currentTime).toBeCloseTo(position + 0.5);
  });

  test('stops when the audio runs dry and leaves the pause out', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000 });
    await player.write(pcmTone(0.5, 8000));
    await context.advance(2);
    expect(player.state).toBe('waiting');
    expect(player.currentTime).toBeCloseTo(0.5);
    await player.write(pcmTone(0.5, 8000));
    expect(player.state).toBe('playing');
    expect(player.currentTime).toBeCloseTo(0.5);
    const [, second] = context.pieces;
    expect(second?.start).toBeGreaterThan(2);
    await context.advance(0.25);
    expect(player.currentTime).toBeCloseTo(0.5 + context.currentTime - (second?.start ?? 0));
  });

  test('never goes back, though the reported delay wavers', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000 });
    await player.write(pcmTone(2, 8000));
    await context.advance(1);
    const before = player.currentTime;
    context.outputLatency = 0.5;
    expect(player.currentTime).toBe(before);
  });

  test('starts when enough is gathered, or with the end of a short text', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000, startSeconds: 0.2 });
    await player.write(pcmTone(0.1, 8000));
    expect([context.pieces.length, player.state]).toEqual([0, 'waiting']);
    await player.end();
    expect([context.pieces.length, player.state]).toEqual([1, 'playing']);
  });

  test('plays what is gathered in time, though nothing follows', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000 });
    await player.write(pcmTone(1, 8000));
    await player.write(pcmTone(0.05, 8000));
    expect(context.pieces.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(context.pieces.length).toBe(2);
    heard(context);
  });
});

describe('back-pressure', () => {
  test('makes a writer wait until less than the limit is queued', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000, bufferSeconds: 2 });
    const second = pcmTone(1, 8000);
    await player.write(second);
    await player.write(second);
    let isDone = false;
    const writing = player.write(second).then(() => {
      isDone = true;
    });
    await context.advance(0.5);
    expect(isDone).toBe(false);
    await context.advance(0.7);
    await writing;
    expect(player.bufferedSeconds).toBeLessThanOrEqual(2);
  });

  test('lets a writer of one huge piece go on before that piece has run dry', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000, bufferSeconds: 2 });
    let isDone = false;
    const writing = player.write(pcmTone(6, 8000)).then(() => {
      isDone = true;
    });
    await context.advance(5.2);
    expect(isDone).toBe(true);
    await writing;
    expect(player.bufferedSeconds).toBeGreaterThan(0.5);
  });

  test('ends with stop()', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000, bufferSeconds: 1 });
    const writing = player.write(pcmTone(3, 8000));
    await settle();
    await player.stop();
    await writing;
    await player.write(pcmTone(3, 8000));
    await player.finished;
    expect([player.state, context.state, context.playingCount]).toEqual(['stopped', 'closed', 0]);
  });
});

describe('the end', () => {
  test('comes when everything was heard, and only then', async () => {
    const { player, context } = open({ format: 'pcm', sampleRate: 8000 });
    const ended = vi.fn();
    const states: string[] = [];
    player.onended = ended;
    player.addEventListener('state-change', () => states.push(player.state));
    await player.write(pcmTone(0.5, 8000));
    await player.end();
    await context.advance(0.4);
    expect(ended).not.toHaveBeenCalled();
    await context.advance(0.4);
    await player.finished;
    expect(ended).toHaveBeenCalledOnce();
    expect(states).toEqual(['playing', 'ended']);
    expect([player.state, player.currentTime, context.state]).toEqual(['ended', 0.5, 'closed']);
  });

  test('comes at once for no audio', async () => {
    const { player } = open({ format: 'opus' });
    await player.end();
    await player.finished;
    expect(player.state).toBe('ended');
  });

  test('leaves a context open that was handed in', async () => {
    const browser = createFakeBrowser({});
    const audioContext = browser.platform.createContext(48000);
    const player = createPlayerOn(browser.platform, { format: 'pcm', audioContext });
    await player.write(pcmTone(0.5, 44100));
    await player.stop();
    expect([browser.contexts.length, audioContext.state]).toEqual([1, 'running']);
  });
});

describe('mp3 and opus', () => {
  test('leave out the start and the end that are not part of an opus file', async () => {
    const browser = createFakeBrowser({ samplesOf: opusPacketSamples });
    const { player, context } = open({ format: 'opus' }, browser);
    for (const piece of inPieces(await opusTone(0.31), 50)) await player.write(piece);
    await player.end();
    // The fake decoder counts samples, so what is heard shows where the cuts were made.
    expect(heard(context)).toEqual(Array.from({ length: 14880 }, (_, index) => 312 + index));
    expect(player.decodedSeconds).toBeCloseTo(0.31);
    expect(browser.decoded.map(({ timestamp }) => timestamp).slice(0, 3)).toEqual([0, 20000, 40000]);
  });

  test('are decoded frame by frame and start before their end', async () => {
    const browser = createFakeBrowser({ samplesOf: () => 1152 });
    const { player, context } = open({ format: 'mp3' }, browser);
    const file = await mp3Tone(1, 44100);
    for (const piece of inPieces(file.subarray(0, file.length / 2), 417)) await player.write(piece);
    await settle();
    expect(context.pieces.length).toBeGreaterThan(0);
    expect(player.state).toBe('playing');
    for (const piece of inPieces(file.subarray(file.length / 2), 417)) await player.write(piece);
    await player.end();
    expect(join(browser.decoded.map(({ data }) => data))).toEqual(file);
    await context.advance(3);
    await player.finished;
    expect(browser.openDecoders).toBe(0);
  });

  test.each([
    ['has no WebCodecs', { hasCodecs: false }],
    ['can not decode the codec', { isSupported: false }],
  ])('are decoded whole where the browser %s', async (_, options) => {
    const { player, context } = open({ format: 'mp3' }, createFakeBrowser(options));
    context.decoded = new Float32Array(48000).fill(0.5);
    const file = await mp3Tone(1, 44100);
    for (const piece of inPieces(file, 1000)) await player.write(piece);
    expect(context.pieces.length).toBe(0);
    await player.end();
    expect(context.decodedBytes).toBe(file.length);
    expect(heard(context).length).toBe(48000);
  });

  test('fail when nothing in the bytes is audio', async () => {
    const { player } = open({ format: 'mp3' });
    await player.write(new TextEncoder().encode('{"status":500}'));
    await expect(player.end()).rejects.toMatchObject({ kind: 'not-recognised' });
    expect(player.state).toBe('failed');
  });

  test('fail with the error of the decoder', async () => {
    const browser = createFakeBrowser({ samplesOf: () => 1152 });
    const { player } = open({ format: 'mp3' }, browser);
    browser.failure = new Error('cannot decode');
    await player.write((await mp3Tone(0.2, 44100)).subarray(0, 1000)).catch(() => {});
    await settle();
    expect(player.error).toBe(browser.failure);
    await expect(player.end()).rejects.toThrow('cannot decode');
  });

  test('count what a decoder still holds as queued', async () => {
    const browser = createFakeBrowser({ samplesOf: () => 1152 });
    const { player, context } = open({ format: 'mp3', bufferSeconds: 0.5 }, browser);
    let isDone = false;
    const writing = player.write(await mp3Tone(2, 44100)).then(() => {
      isDone = true;
    });
    await settle();
    expect(isDone).toBe(false);
    await context.advance(3);
    await writing;
  });

  test('release the decoder on stop()', async () => {
    const browser = createFakeBrowser({ samplesOf: () => 1152 });
    const { player } = open({ format: 'mp3' }, browser);
    await player.write((await mp3Tone(0.5, 44100)).subarray(0, 3000));
    expect(browser.openDecoders).toBe(1);
    await player.stop();
    expect(browser.openDecoders).toBe(0);
  });
});

import { describe, expect, test, vi } from 'vitest';
import { inPieces, pcmTone } from '../testing/audio.ts';
import { createFakeBrowser, settle } from '../testing/fake-browser.ts';
import { createPlayerOn } from './create-player.ts';
import type { PlayerOptions } from './types.ts';

function open(options: Partial<PlayerOptions> = {}) {
  const browser = createFakeBrowser({});
  const player = createPlayerOn(browser.platform, {
    format: 'pcm',
    sampleRate: 8000,
    seekable: true,
    ...options,
  });
  const context = browser.contexts[0];
  if (context === undefined) throw new Error('no context was made');
  return { player, context };
}

function samplesOf(pcm: Uint8Array): number[] {
  return [...new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2)].map((sample) => sample / 32768);
}

/** What was put on the context since so many pieces were. */
function heardSince(context: ReturnType<typeof open>['context'], pieces: number): number[] {
  return context.pieces.slice(pieces).flatMap(({ samples }) => [...samples]);
}

describe('seek', () => {
  test.each([0, 0.25, 0.5, 1.2345])('goes on sample for sample from %d s', async (from) => {
    const { player, context } = open();
    const pcm = pcmTone(2, 8000);
    for (const piece of inPieces(pcm, 3001)) await player.write(piece);
    await player.end();
    await context.advance(0.7);
    const before = context.pieces.length;
    await player.seek(from);
    expect(player.currentTime).toBe(from);
    expect(heardSince(context, before)).toEqual(samplesOf(pcm).slice(Math.round(from * 8000)));
    await context.advance(0.5);
    const start = context.pieces[before]?.start ?? 0;
    expect(player.currentTime).toBeCloseTo(from + context.currentTime - start, 5);
  });

  test('silences what was to be heard at the old place', async () => {
    const { player, context } = open();
    await player.write(pcmTone(2, 8000));
    expect(context.playingCount).toBeGreaterThan(0);
    const before = context.pieces.length;
    await player.seek(1.5);
    expect(context.playingCount).toBe(context.pieces.length - before);
  });

  test('goes back while audio still comes, and what comes is heard in its place', async () => {
    const { player, context } = open();
    const pcm = pcmTone(2, 8000);
    await player.write(pcm.subarray(0, 16000));
    await context.advance(0.8);
    const before = context.pieces.length;
    await player.seek(0.5);
    await player.write(pcm.subarray(16000));
    await player.end();
    expect(heardSince(context, before)).toEqual(samplesOf(pcm).slice(4000));
    expect(player.decodedSeconds).toBeCloseTo(2);
  });

  test('plays again after the end, and tells of each end', async () => {
    const { player, context } = open();
    const ended = vi.fn();
    player.addEventListener('ended', ended);
    await player.write(pcmTone(0.5, 8000));
    await player.end();
    await context.advance(0.7);
    await player.finished;
    expect([player.state, player.currentTime, ended.mock.calls.length]).toEqual(['ended', 0.5, 1]);
    await player.seek(0.25);
    expect([player.state, player.currentTime]).toEqual(['playing', 0.25]);
    await context.advance(0.5);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(2));
    expect([player.state, player.currentTime]).toEqual(['ended', 0.5]);
    await player.stop();
    expect(context.state).toBe('closed');
  });

  test('does not end playback while the last samples are on their way', async () => {
    const { player, context } = open();
    const ended = vi.fn();
    player.addEventListener('ended', ended);
    context.outputLatency = 0.05;
    await player.write(pcmTone(0.5, 8000));
    await player.end();
    while (context.playingCount > 0) await context.advance(0.01);
    await player.seek(0);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(ended).not.toHaveBeenCalled();
    expect(player.state).toBe('playing');
  });

  test('stays paused, at the new place', async () => {
    const { player, context } = open();
    await player.write(pcmTone(2, 8000));
    await context.advance(0.3);
    await player.pause();
    await player.seek(1);
    await context.advance(1);
    expect([player.state, player.currentTime]).toEqual(['paused', 1]);
    await player.resume();
    await context.advance(0.5);
    expect(player.currentTime).toBeGreaterThan(1.3);
  });

  test('is held within what is decoded', async () => {
    const { player } = open();
    await player.write(pcmTone(1, 8000));
    await player.seek(-3);
    expect(player.currentTime).toBe(0);
    await player.seek(9);
    expect(player.currentTime).toBeCloseTo(1);
  });

  test('lets a writer go on that waited for room', async () => {
    const { player } = open({ bufferSeconds: 1 });
    let isWritten = false;
    const writing = player.write(pcmTone(3, 8000)).then(() => {
      isWritten = true;
    });
    await settle();
    expect(isWritten).toBe(false);
    await player.seek(2.5);
    await writing;
    expect(isWritten).toBe(true);
  });

  test('is refused where nothing is kept, and does nothing after stop()', async () => {
    const { player } = open({ seekable: false });
    await expect(player.seek(0)).rejects.toThrow('seekable');
    const stopped = open().player;
    await stopped.stop();
    await stopped.seek(0);
    expect(stopped.state).toBe('stopped');
  });
});

describe('onSamples', () => {
  test('receives all decoded audio, in order, before it is heard', async () => {
    const seen: number[] = [];
    const { player, context } = open({
      onSamples: ({ channels, sampleRate }) => {
        expect(sampleRate).toBe(8000);
        seen.push(...(channels[0] ?? []));
      },
    });
    const pcm = pcmTone(0.5, 8000);
    for (const piece of inPieces(pcm, 999)) await player.write(piece);
    await player.end();
    expect(seen).toEqual(samplesOf(pcm));
    expect(context.currentTime).toBe(0);
  });
});

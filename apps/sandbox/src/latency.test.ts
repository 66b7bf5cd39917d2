import { expect, test } from 'vitest';
import { latencyProfiles, pace } from './latency.ts';
import type { SpeechPiece } from './speech/job.ts';
import { createJob } from './synthesis.ts';
import { speak, speechHeaders, start } from './testing/sandboxes.ts';

const job = createJob({ text: 'a', format: 'pcm', sample_rate: 8000, latency: 'low' }, undefined, []);

/** Pieces of a second each, made as fast as they are asked for. */
async function* seconds(count: number): AsyncGenerator<SpeechPiece> {
  for (let piece = 0; piece < count; piece += 1) {
    yield {
      audio: new Uint8Array(16_000),
      chunk_seq: 0,
      content: 'a',
      alignment: null,
      chunk_audio_offset_sec: 0,
    };
  }
}

/** A clock that moves when somebody waits. */
function createClock() {
  const clock = { now: 0 };
  const wait = async (milliseconds: number): Promise<void> => {
    clock.now += milliseconds;
  };
  return { clock, pacing: { signal: new AbortController().signal, now: () => clock.now, wait } };
}

test.each(['cloud', 'slow'] as const)('lets audio leave as the profile %s has it', async (name) => {
  const { clock, pacing } = createClock();
  const left: number[] = [];
  for await (const _piece of pace(seconds(3), job, latencyProfiles[name], pacing)) left.push(clock.now);
  const { firstAudioMilliseconds: first, timesRealTime } = latencyProfiles[name].low;
  const step = 1000 / timesRealTime;
  expect(left.map(Math.round)).toEqual([first, first + step, first + 2 * step].map(Math.round));
});

test('lets a small beginning leave first and pauses after it, with every byte in its place', async () => {
  const { clock, pacing } = createClock();
  const left: [at: number, bytes: number][] = [];
  for await (const { audio } of pace(seconds(2), job, latencyProfiles.stutter, pacing)) {
    left.push([clock.now, audio.length]);
  }
  expect(left.slice(0, 2)).toEqual([
    [200, 1024],
    [450, 16_000 - 1024],
  ]);
  expect(left[2]?.[1]).toBe(16_000);
  expect(left).toHaveLength(3);
});

test('does not wait without a profile', async () => {
  const left: SpeechPiece[] = [];
  const pacing = { signal: AbortSignal.timeout(1000), wait: () => Promise.reject(new Error('waited')) };
  for await (const piece of pace(seconds(3), job, latencyProfiles.none, pacing)) left.push(piece);
  expect(left).toHaveLength(3);
});

test('is heard by a caller: the first audio of low comes before that of normal', async () => {
  const sandbox = await start({ latencyProfile: 'cloud' });
  const firstAudio = async (latency: string): Promise<number> => {
    const began = performance.now();
    await (await speak(sandbox, { text: 'a', latency }, speechHeaders)).bytes();
    return performance.now() - began;
  };
  const [low, normal] = [await firstAudio('low'), await firstAudio('normal')];
  expect(low).toBeGreaterThan(190);
  expect(normal).toBeGreaterThan(790);
});

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

test.each(['cloud', 'slow'] as const)('lets audio leave as the profile %s has it', async (name) => {
  let clock = 0;
  const left: number[] = [];
  const pacing = {
    signal: new AbortController().signal,
    now: () => clock,
    wait: async (milliseconds: number) => {
      clock += milliseconds;
    },
  };
  for await (const _piece of pace(seconds(3), job, latencyProfiles[name], pacing)) left.push(clock);
  const { firstAudioMilliseconds: first, timesRealTime } = latencyProfiles[name].low;
  const step = 1000 / timesRealTime;
  expect(left.map(Math.round)).toEqual([first, first + step, first + 2 * step].map(Math.round));
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

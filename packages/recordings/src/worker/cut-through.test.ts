import { expect, test } from 'vitest';
import { cutThrough } from './cut-through.ts';
import type { FromWorker } from './serve-cuts.ts';

/** A worker that says these things and then nothing more. */
function silentAfter(messages: readonly FromWorker[]) {
  let isEnded = false;
  const cut = cutThrough(
    () => ({
      post: () => {},
      listen: (onMessage) => queueMicrotask(() => messages.forEach(onMessage)),
      end: () => {
        isEnded = true;
      },
    }),
    { deadline: 20, refer: () => undefined },
  );
  return { next: () => cut([]).next(), isEnded: () => isEnded };
}

test('a worker that makes no progress is ended, and the error names what it was reading and what would work', async () => {
  for (const [found, named] of [
    [[], 'this recording'],
    [['mp4 file'], 'this mp4 file'],
    [['Ogg file', 'Ogg Vorbis (2 channels, 44100 Hz)'], 'this Ogg Vorbis \\(2 channels, 44100 Hz\\)'],
  ] as const) {
    const worker = silentAfter(found.map((what) => ({ type: 'found', what })));
    await expect(worker.next()).rejects.toMatchObject({
      kind: 'too-slow',
      message: expect.stringMatching(`Reading ${named} made no progress within 20 ms.*ffmpeg`),
    });
    expect(worker.isEnded()).toBe(true);
  }
});

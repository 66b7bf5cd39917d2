import { beforeAll, describe, expect, test } from 'vitest';
import { joinBytes } from './bytes.ts';
import { createMp3FrameWalker, type Mp3Frame } from './index.ts';
import { inPieces, mp3Tone } from './testing/audio.ts';

function walk(pieces: readonly Uint8Array[]) {
  const walker = createMp3FrameWalker();
  const frames: Mp3Frame[] = pieces.flatMap((piece) => walker.push(piece));
  frames.push(...walker.end());
  return { frames, skipped: walker.skippedBytes };
}

let file: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  file = await mp3Tone(0.4, 44100);
});

describe('mp3 frame walker', () => {
  test.each([
    [32000, 64],
    [32000, 192],
    [44100, 64],
    [44100, 128],
    [44100, 192],
  ] as const)('finds every frame at %i Hz and %i kbps, byte for byte', async (sampleRate, bitrate) => {
    const bytes = await mp3Tone(0.5, sampleRate, bitrate);
    const { frames, skipped } = walk([bytes]);
    expect(joinBytes(frames.map((frame) => frame.bytes))).toEqual(bytes);
    expect(skipped).toBe(0);
    for (const frame of frames)
      expect(frame).toMatchObject({ sampleRate, bitrate, channels: 1, samples: 1152 });
  });

  test('gives a frame as soon as it is there, once the first two agree', () => {
    const lengths = walk([file]).frames.map(({ bytes }) => bytes.length);
    const [first = 0, second = 0, third = 0] = lengths;
    const walker = createMp3FrameWalker();
    expect(walker.push(file.subarray(0, first + 3)).length).toBe(0);
    expect(walker.push(file.subarray(first + 3, first + 4)).length).toBe(1);
    expect(walker.push(file.subarray(first + 4, first + second)).length).toBe(1);
    expect(walker.push(file.subarray(first + second, first + second + third)).length).toBe(1);
  });

  test('passes over tags at both ends', () => {
    const id3 = new Uint8Array(10 + 300);
    id3.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 2, 44]);
    // The tag contains what looks like two frames.
    id3.set(file.subarray(0, 290), 15);
    const ape = new Uint8Array(32);
    ape.set(new TextEncoder().encode('APETAGEX'));
    const id3v1 = new Uint8Array(128);
    id3v1.set(new TextEncoder().encode('TAGtitle'));
    const tagged = joinBytes([id3, file, ape, id3v1]);
    const expected = walk([file]).frames.length;
    for (const size of [1, 7, 1000, tagged.length]) {
      const { frames, skipped } = walk(inPieces(tagged, size));
      expect(frames.length).toBe(expected);
      expect(skipped).toBe(0);
    }
  });

  test('finds its way again after garbage', () => {
    const frames = walk([file]).frames;
    const head = joinBytes(frames.slice(0, 4).map(({ bytes }) => bytes));
    const tail = joinBytes(frames.slice(4).map(({ bytes }) => bytes));
    const garbage = Uint8Array.from({ length: 500 }, (_, index) =>
      index % 50 === 0 ? 255 : (index * 37) & 255,
    );
    const walked = walk([joinBytes([garbage, head, garbage, tail])]);
    expect(walked.skipped).toBe(1000);
    expect(walked.frames.length).toBe(frames.length);
  });

  test('does not take a chance header in garbage for a frame', () => {
    const garbage = new Uint8Array(1000).fill(1);
    garbage.set(file.subarray(0, 4), 100);
    const walked = walk([joinBytes([garbage, file])]);
    expect(walked.skipped).toBe(1000);
    expect(joinBytes(walked.frames.map(({ bytes }) => bytes))).toEqual(file);
  });

  test('tells a frame of information from one of audio', () => {
    const information = new Uint8Array(walk([file]).frames[0]?.bytes ?? []);
    information.fill(0, 4);
    information.set(new TextEncoder().encode('Info'), 4 + 17);
    information.set([0, 0, 0, 0], 4 + 21);
    // 576 samples of delay and 1000 of padding, twelve bits each.
    information.set([0x24, 0x03, 0xe8], 4 + 25 + 21);
    const { frames } = walk([joinBytes([information, file])]);
    expect(frames[0]?.information).toEqual({ delaySamples: 576, paddingSamples: 1000 });
    expect(frames.slice(1).every((frame) => frame.information === undefined)).toBe(true);
  });
});

import { writeFile } from 'node:fs/promises';
import { cutInWorker, openRecording } from '@speech-api/recordings/node';
import { expect, test } from 'vitest';
import { collect } from '../src/testing/files.ts';
import { correlation, listen, make } from './ffmpeg.ts';

const rate = 16_000;
const noise = ['-f', 'lavfi', '-i', 'anoisesrc=d=45:c=pink:r=44100:a=0.6:s=7,lowpass=f=3000'];
const shrink = { shrink: true, maximumSeconds: 20 };

test.each([
  ['wav', ['-ac', '2']],
  ['flac', ['-ac', '2']],
  ['mp3', ['-b:a', '128k']],
  ['m4a', ['-c:a', 'aac']],
  ['aiff', []],
] as const)(
  'ffmpeg makes 16 kHz mono of %s, at any place and as a stream, with the same times',
  async (extension, args) => {
    const { path, bytes } = await make([...noise, ...args], extension);
    const sources = [await openRecording(path), ...(extension === 'm4a' ? [] : [new Blob([bytes])])];
    const cuts = await Promise.all(sources.map((source) => collect(cutInWorker()(source, shrink))));
    const [whole, ...heard] = await listen([bytes, ...cuts.flat().map((part) => part.bytes)]);
    const sound = whole?.sound ?? new Float32Array();
    for (const parts of cuts) {
      expect(parts.length).toBeGreaterThanOrEqual(3);
      expect(Math.abs((parts.at(-1)?.end ?? 0) - sound.length / rate)).toBeLessThan(0.03);
    }
    for (const [index, { offset, description }] of cuts.flat().entries()) {
      expect(description).toBe('wav (16-bit PCM, 1 channel, 16000 Hz)');
      const own = heard[index]?.sound ?? new Float32Array();
      expect(own.length).toBeGreaterThan(rate);
      expect(correlation(sound, Math.round(offset * rate), own, 0, own.length)).toBeGreaterThan(0.99);
    }
  },
);

test('what breaks off is refused unless that is accepted, and no text that names other files is opened', async () => {
  const { path, bytes } = await make([...noise], 'flac');
  await writeFile(path, bytes.subarray(0, 1_000_000));
  const broken = await openRecording(path);
  await expect(collect(cutInWorker()(broken, shrink))).rejects.toMatchObject({ kind: 'damaged' });
  const playlist = `${path}.m3u8`;
  const whole = await make([...noise], 'mp3');
  await writeFile(playlist, `#EXTM3U\n#EXTINF:45,\n${whole.path}\n`);
  await expect(collect(cutInWorker()(await openRecording(playlist), shrink))).rejects.toMatchObject({
    kind: 'damaged',
  });
});

test('a stream that stalls, fails or is not wanted any more says so, and is closed', async () => {
  const { bytes } = await make([...noise], 'mp3');
  /** Gives the start of a file, which no pipe holds up, and then what `pull` does. */
  const open = (pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) => {
    let close = (): void => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
      controller.enqueue(bytes.subarray(0, 20_000));
    const source = new ReadableStream<Uint8Array>({ start, pull, cancel: close }, { highWaterMark: 0 });
    return { source, closed };
  };
  const stalled = open(() => {});
  await expect(collect(cutInWorker({ deadline: 2000 })(stalled.source, shrink))).rejects.toMatchObject({
    kind: 'too-slow',
    message: 'The source of this recording stalled: ffmpeg waited 2000 ms for more of it.',
  });
  await stalled.closed;
  const failed = open((controller) => controller.error(new Error('the disk was removed')));
  await expect(collect(cutInWorker()(failed.source, shrink))).rejects.toThrow('the disk was removed');
  const stop = new AbortController();
  const left = open(() => stop.abort(new Error('stopped')));
  const options = { ...shrink, signal: stop.signal };
  await expect(collect(cutInWorker()(left.source, options))).rejects.toThrow('stopped');
  await left.closed;
});

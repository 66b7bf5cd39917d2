import { writeFile } from 'node:fs/promises';
import { cutInWorker, openRecording } from '@speech-api/recordings/node';
import { expect, test } from 'vitest';
import type { RecordingPart } from '../src/index.ts';
import { decode, make } from './ffmpeg.ts';

const rate = 16_000;
const sound = ['-f', 'lavfi', '-i', 'anoisesrc=d=45:c=pink:r=44100:a=0.6:s=7,lowpass=f=3000'];
const shrink = { shrink: true, maximumSeconds: 20 };

async function collect(parts: AsyncIterable<RecordingPart>): Promise<RecordingPart[]> {
  const collected: RecordingPart[] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

test.each([
  ['wav', ['-ac', '2']],
  ['flac', ['-ac', '2']],
  ['mp3', ['-b:a', '128k']],
  ['m4a', ['-c:a', 'aac']],
  ['aiff', []],
] as const)(
  'ffmpeg makes 16 kHz mono of %s, at any place and as a stream, with the same times',
  async (extension, args) => {
    const { path, bytes } = await make([...sound, ...args], extension);
    const whole = await decode(bytes);
    const sources = [await openRecording(path), ...(extension === 'm4a' ? [] : [new Blob([bytes])])];
    for (const source of sources) {
      const parts = await collect(cutInWorker()(source, shrink));
      expect(parts.length).toBeGreaterThanOrEqual(3);
      expect(Math.abs((parts.at(-1)?.end ?? 0) - whole.length / rate)).toBeLessThan(0.03);
      for (const { bytes: file, offset, description } of parts) {
        expect(description).toBe('wav (16-bit PCM, 1 channels, 16000 Hz)');
        const own = await decode(file);
        const place = Math.round(offset * rate);
        const [both, one, other] = own.reduce(
          ([product, left, right], sample, index) => {
            const theirs = whole[place + index] ?? 0;
            return [product + sample * theirs, left + sample ** 2, right + theirs ** 2];
          },
          [0, 0, 0],
        );
        expect(both / Math.sqrt(one * other)).toBeGreaterThan(0.99);
      }
    }
  },
);

test('what breaks off is refused unless that is accepted, and no text that names other files is opened', async () => {
  const { path, bytes } = await make([...sound], 'flac');
  await writeFile(path, bytes.subarray(0, 1_000_000));
  const broken = await openRecording(path);
  await expect(collect(cutInWorker()(broken, shrink))).rejects.toMatchObject({ kind: 'damaged' });
  const playlist = `${path}.m3u8`;
  const whole = await make([...sound], 'mp3');
  await writeFile(playlist, `#EXTM3U\n#EXTINF:45,\n${whole.path}\n`);
  await expect(collect(cutInWorker()(await openRecording(playlist), shrink))).rejects.toMatchObject({
    kind: 'damaged',
  });
});

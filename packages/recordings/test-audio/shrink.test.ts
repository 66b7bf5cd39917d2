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

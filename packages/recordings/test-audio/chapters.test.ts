import { expect, test } from 'vitest';
import { bookOptions, speakNoise } from '../src/testing/speak.ts';
import { decode, describe, make } from './ffmpeg.ts';

test.each(['mp3', 'opus'] as const)(
  'ffprobe reads chapters, tags and cover of a long %s file',
  async (format) => {
    const { file, speech } = await speakNoise(format, [4, 3, 2, 5], bookOptions);
    const { chapters, format: whole, streams } = await describe(file);
    expect(chapters.map(({ tags }) => tags.title)).toEqual(['One', '二：雨', 'Three & last']);
    for (const [index, { start_time, end_time }] of chapters.entries()) {
      const { start = -1, end = -1 } = speech.chapters[index] ?? {};
      expect(Math.abs(Number(start_time) - start)).toBeLessThan(0.001);
      // Comments of Ogg have no ends; ffprobe takes the next chapter's start, and for the last one what it thinks is the length.
      expect(Math.abs(Number(end_time) - end)).toBeLessThan(format === 'mp3' ? 0.001 : 0.02);
    }
    const sound = streams.find(({ codec_type }) => codec_type === 'audio');
    const tags = Object.fromEntries(
      Object.entries({ ...whole.tags, ...sound?.tags }).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect(tags).toMatchObject({
      title: 'The Sea, 海',
      artist: 'Ann Author',
      album: 'Ferries',
      date: '2026',
      genre: 'Audiobook',
      language: 'eng',
      [format === 'mp3' ? 'composer' : 'performer']: 'Ned',
    });
    const picture = streams.find(({ disposition }) => disposition.attached_pic === 1);
    expect(picture?.codec_name).toBe('png');
    // Every sample is decoded, none is added.
    expect((await decode(file, 48_000)).length / 48_000).toBeCloseTo(speech.duration, 1);
  },
);

test('a cover of several pages of Ogg is read, and the sound after it', async () => {
  const noise = ['-f', 'lavfi', '-i', "nullsrc=s=500x500,geq=lum='random(1)*255':cb=128:cr=128"];
  const { bytes: cover } = await make([...noise, '-frames:v', '1', '-q:v', '2'], 'jpg');
  expect(cover.length).toBeGreaterThan(100_000);
  const { file, speech } = await speakNoise('opus', [4, 3, 2, 5], { ...bookOptions, cover });
  const { chapters, streams } = await describe(file);
  expect(chapters.length).toBe(3);
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(['opus', 'mjpeg']);
  expect((await decode(file)).length / 16_000).toBeCloseTo(speech.duration, 1);
});

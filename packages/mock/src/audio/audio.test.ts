import { audioFormats, mp3Bitrates, opusBitrates, sampleRates } from '@speech-api/types';
import { expect, test } from 'vitest';
import { measureAudio } from '../testing/measure-audio.ts';
import { createSound } from './sound.ts';

const bitratesOf = { wav: [0], pcm: [0], mp3: mp3Bitrates, opus: opusBitrates } as const;
const combinations = audioFormats.flatMap((format) =>
  sampleRates[format].flatMap((sampleRate) =>
    bitratesOf[format].map((bitrate) => ({ format, sampleRate, bitrate })),
  ),
);

const make = (combination: (typeof combinations)[number], times: readonly number[], end: number): Buffer => {
  const { format, sampleRate, bitrate } = combination;
  const sound = createSound({ format, sampleRate, mp3Bitrate: bitrate, opusBitrate: bitrate });
  return Buffer.concat([...times.map((time) => sound.until(time)), sound.finish(end)]);
};

test.each(combinations)('is heard by a decoder: $format, $sampleRate Hz, $bitrate', async (combination) => {
  const { format, sampleRate, bitrate } = combination;
  const audio = make(combination, [0.3, 0.31, 1.7, 2.9], 3.217);
  const measured = await measureAudio(audio, format, sampleRate);
  expect(measured).toMatchObject({ sampleRate, channels: 1 });
  expect(Math.abs(measured.seconds - 3.217)).toBeLessThan(0.05);
  expect(measured.loudness).toBeGreaterThan(0.05);
  const nominal = format === 'mp3' ? bitrate * 1000 : format === 'opus' && bitrate > 0 ? bitrate : undefined;
  if (nominal !== undefined) expect(Math.abs(measured.bitrate / nominal - 1)).toBeLessThan(0.1);
});

test.each(combinations)(
  'is the same however it is cut: $format, $sampleRate Hz, $bitrate',
  async (combination) => {
    const once = await measureAudio(make(combination, [], 2.5), combination.format, combination.sampleRate);
    const often = make(combination, [0.3137, 1, 1.7311, 2.2], 2.5);
    const cut = await measureAudio(often, combination.format, combination.sampleRate);
    expect(cut.seconds).toBe(once.seconds);
    // The pages of an Ogg stream are where it was cut; of all else not a byte differs.
    if (combination.format !== 'opus') expect(often.equals(make(combination, [], 2.5))).toBe(true);
    expect(cut.loudness).toBeCloseTo(once.loudness, 3);
  },
);

test('is a decodable sound when it is very short', async () => {
  for (const combination of combinations) {
    const { format, sampleRate } = combination;
    const measured = await measureAudio(make(combination, [], 0.07), format, sampleRate);
    expect(measured.seconds).toBeGreaterThan(0.06);
  }
});

test('gives mp3 the bitrate that was asked for to the byte, by padding', () => {
  for (const sampleRate of sampleRates.mp3) {
    for (const mp3Bitrate of mp3Bitrates) {
      const seconds = (1152 * 1000) / sampleRate;
      const bytes = createSound({ format: 'mp3', sampleRate, mp3Bitrate, opusBitrate: 0 }).finish(
        seconds,
      ).length;
      expect(bytes).toBe(Math.floor((seconds * mp3Bitrate * 1000) / 8));
    }
  }
});

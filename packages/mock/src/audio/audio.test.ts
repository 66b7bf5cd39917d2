import { audioFormats, mp3Bitrates, opusBitrates, sampleRates } from '@speech-api/types';
import { createDecoder } from 'libopus-wasm';
import { MPEGDecoder } from 'mpg123-decoder';
import { expect, test } from 'vitest';
import { opusPackets } from './frames.ts';
import { createSound } from './sound.ts';

// That each format and rate is whole and as long as its timeline says is proven in tools/e2e/test/formats.test.ts.

const bitratesOf = { wav: [0], pcm: [0], mp3: mp3Bitrates, opus: opusBitrates } as const;
const combinations = audioFormats.flatMap((format) =>
  sampleRates[format].flatMap((sampleRate) =>
    bitratesOf[format].map((bitrate) => ({ format, sampleRate, bitrate })),
  ),
);
const ofMp3 = combinations.filter(({ format }) => format === 'mp3');

const make = (combination: (typeof combinations)[number], times: readonly number[], end: number): Buffer => {
  const { format, sampleRate, bitrate } = combination;
  const sound = createSound({ format, sampleRate, mp3Bitrate: bitrate, opusBitrate: bitrate });
  return Buffer.concat([...times.map((time) => sound.until(time)), sound.finish(end)]);
};

const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

test.each(ofMp3)('is heard by a decoder: mp3, $sampleRate Hz, $bitrate kbps', async (combination) => {
  const audio = make(combination, [0.3, 0.31, 1.7, 2.9], 3.217);
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const { channelData, sampleRate, errors } = decoder.decode(audio);
  decoder.free();
  const samples = channelData[0] ?? new Float32Array();
  expect([errors, sampleRate]).toEqual([[], combination.sampleRate]);
  expect(Math.abs(samples.length / sampleRate - 3.217)).toBeLessThan(0.05);
  expect(loudness(samples)).toBeGreaterThan(0.05);
});

test.each(Object.entries(opusPackets))('is heard by a decoder: opus, %s bps', async (_, packet) => {
  const decoder = await createDecoder({ channels: 1, sampleRate: 48_000 });
  const pieces = [1, 2, 3].map(() => [...decoder.decodeFloat(Buffer.from(packet, 'base64'))]);
  decoder.free();
  expect(pieces.map(({ length }) => length)).toEqual([960, 960, 960]);
  expect(loudness(new Float32Array(pieces.flat()))).toBeGreaterThan(0.05);
});

/** Ogg without its pages, which are where it was cut: the packets, and where the last one ends. */
function contentOf(audio: Buffer, bitrate: number): unknown {
  const packet = Buffer.from(opusPackets[bitrate < 0 ? 32_000 : bitrate] ?? '', 'base64').toString('latin1');
  const end = audio.readBigInt64LE(audio.lastIndexOf('OggS') + 6);
  return [audio.toString('latin1').split(packet).length, end];
}

test.each(combinations)('is the same however it is cut: $format, $sampleRate Hz, $bitrate', (combination) => {
  const once = make(combination, [], 2.5);
  const often = make(combination, [0.3137, 1, 1.7311, 2.2], 2.5);
  const { format, bitrate } = combination;
  if (format === 'opus') expect(contentOf(often, bitrate)).toEqual(contentOf(once, bitrate));
  else expect(often.equals(once)).toBe(true);
  expect(make(combination, [], 0.07).length).toBeGreaterThan(100);
});

test.each(ofMp3)('gives mp3 of $sampleRate Hz its $bitrate kbps to the byte, by padding', (combination) => {
  const seconds = (1152 * 1000) / combination.sampleRate;
  const bytes = make(combination, [], seconds).length;
  expect(bytes).toBe(Math.floor((seconds * combination.bitrate * 1000) / 8));
});

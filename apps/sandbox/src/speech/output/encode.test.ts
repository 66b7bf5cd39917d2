import { opusBitrates, sampleRates } from '@speech-api/types';
import { createDecoder } from 'libopus-wasm';
import { describe, expect, test } from 'vitest';
import { readOgg } from '../testing/read-audio.ts';
import { createEncoder } from './output.ts';
import type { AudioSettings } from './samples.ts';

const seconds = 2.013;

async function encoded(settings: Partial<AudioSettings> & Pick<AudioSettings, 'format' | 'sampleRate'>) {
  const encoder = await createEncoder({ mp3Bitrate: 128, opusBitrate: -1000, ...settings });
  const { sampleRate } = settings;
  const samples = Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, index) => {
    const time = index / sampleRate;
    return 0.3 * Math.sin(2 * Math.PI * 300 * time) * Math.sin(2 * Math.PI * 2 * time);
  });
  const parts: Uint8Array[] = [];
  for (let offset = 0; offset < samples.length; offset += 4097)
    parts.push(encoder.encode(samples.subarray(offset, offset + 4097)));
  parts.push(encoder.finish());
  encoder.free();
  return { bytes: new Uint8Array(Buffer.concat(parts)), samples, parts };
}

describe('pcm', () => {
  test('is two bytes a sample, low byte first', async () => {
    const { bytes, samples } = await encoded({ format: 'pcm', sampleRate: 16000 });
    expect(bytes.length).toBe(samples.length * 2);
    const view = new DataView(bytes.buffer);
    expect(view.getInt16(2000, true) / 32767).toBeCloseTo(samples[1000] ?? 0, 4);
  });
});

describe('opus', () => {
  test.each(opusBitrates)(
    'at %i bit/s is sound Ogg, and decodes to the samples that went in',
    async (opusBitrate) => {
      const { bytes, samples } = await encoded({ format: 'opus', sampleRate: 48000, opusBitrate });
      const pages = readOgg(bytes);
      const [head, tags, ...audio] = pages;
      const identification = Buffer.from(head?.packets[0] ?? []);
      expect(head?.first).toBe(true);
      expect(identification.toString('latin1', 0, 8)).toBe('OpusHead');
      expect(identification[9]).toBe(1);
      expect(Buffer.from(tags?.packets[0] ?? []).toString('latin1', 0, 8)).toBe('OpusTags');
      const preSkip = identification.readUInt16LE(10);
      expect(audio.at(-1)?.last).toBe(true);
      expect(
        audio
          .slice(0, -1)
          .every((page) => !page.last && page.packets.length >= 2 && page.packets.length <= 5),
      ).toBe(true);
      expect((audio.at(-1)?.granule ?? 0) - preSkip).toBe(samples.length);

      using decoder = await createDecoder({ channels: 1, sampleRate: 48000 });
      const decoded = Float32Array.from(
        audio.flatMap((page) => page.packets.flatMap((packet) => [...decoder.decodeFloat(packet)])),
      );
      const sound = decoded.subarray(preSkip, preSkip + samples.length);
      expect(sound).toHaveLength(samples.length);
      // A shift of a millisecond or two in either direction correlates worse, so there is no lag.
      const correlation = (shift: number) =>
        samples
          .subarray(4800, 60000)
          .reduce((sum, sample, index) => sum + sample * (sound[index + 4800 + shift] ?? 0), 0);
      for (const shift of [-96, -48, 48, 96]) expect(correlation(0)).toBeGreaterThan(correlation(shift));
    },
  );
});

test('gives the same bytes for the same samples, however many streams came before', async () => {
  for (const format of ['mp3', 'opus'] as const) {
    const sampleRate = sampleRates[format][0];
    expect((await encoded({ format, sampleRate })).bytes).toEqual(
      (await encoded({ format, sampleRate })).bytes,
    );
  }
});

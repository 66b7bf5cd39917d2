import { describe, expect, test } from 'vitest';
import { createResampler } from './resampler.ts';
import { createVolume } from './samples.ts';

const tone = (length: number, hertz: number, rate: number, amplitude = 0.5) =>
  Float32Array.from({ length }, (_, index) => amplitude * Math.sin((2 * Math.PI * hertz * index) / rate));

const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

describe('createResampler', () => {
  test.each([8000, 16000, 24000, 32000, 44100, 48000])(
    'to %i Hz shifts nothing and keeps the length',
    async (rate) => {
      const resampler = await createResampler(22050, rate);
      const input = tone(22050, 440, 22050);
      const parts = [];
      for (let offset = 0; offset < input.length; offset += 2206) {
        parts.push(...resampler.write(input.subarray(offset, offset + 2206)));
      }
      parts.push(...resampler.end());
      resampler.free();
      expect(parts).toHaveLength(rate);
      const expected = tone(rate, 440, rate);
      const noise = Float32Array.from(parts, (sample, index) => sample - (expected[index] ?? 0));
      // The ends ring; the middle has to be the same tone at the same place.
      const middle = noise.subarray(rate * 0.1, rate * 0.9);
      expect(20 * Math.log10(rms(expected) / rms(middle))).toBeGreaterThan(70);
    },
  );
});

describe('createVolume', () => {
  test('limits what is too loud without changing its shape', () => {
    const samples = tone(22050, 440, 22050, 1);
    createVolume(20).apply(samples);
    expect(Math.max(...samples)).toBeLessThanOrEqual(0.9);
    // A sine has 0.71 of its peak, one that was clipped at a tenth of its height 0.97.
    const plateau = samples.subarray(2205);
    expect(rms(plateau) / Math.max(...plateau)).toBeCloseTo(Math.SQRT1_2, 1);
  });
});

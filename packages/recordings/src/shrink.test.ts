import { expect, test } from 'vitest';
import { viewOf } from './bytes.ts';
import { RecordingError, type RecordingPart } from './index.ts';
import { createResampler } from './resampler.ts';
import { cutAll, noise, opusFile, wavFile } from './testing/files.ts';

const cut = (bytes: Uint8Array, maximumSeconds = 3600): Promise<RecordingPart[]> =>
  cutAll([bytes], { shrink: true, maximumSeconds });

function samplesOf({ bytes }: RecordingPart): Float32Array {
  const view = viewOf(bytes);
  return Float32Array.from(
    { length: (bytes.length - 44) / 2 },
    (_, index) => view.getInt16(44 + 2 * index, true) / 32_767,
  );
}

const tone = (rate: number, hertz: number, seconds: number): Float32Array =>
  Float32Array.from(
    { length: rate * seconds },
    (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / rate),
  );

test.each([16_001, 22_050, 44_100, 48_000, 96_000])(
  'sound of %i Hz becomes 16 kHz, no sample early or late, whatever blocks it comes in',
  (rate) => {
    const sound = tone(rate, 1000, 2);
    for (const size of [97, 4410]) {
      const resampler = createResampler(rate, 16_000);
      const output: number[] = [];
      for (let start = 0; start < sound.length; start += size)
        output.push(...resampler.push(sound.subarray(start, start + size)));
      output.push(...resampler.end());
      expect(output.length).toBe(32_000);
      const wanted = tone(16_000, 1000, 2);
      // At its ends a tone begins out of nothing.
      for (let index = 400; index < 31_600; index += 7)
        expect(Math.abs((output[index] ?? 0) - (wanted[index] ?? 0))).toBeLessThan(0.01);
    }
  },
);

test('what 16 kHz cannot hold is gone, and not folded back into the voice', () => {
  const resampler = createResampler(44_100, 16_000);
  const output = [...resampler.push(tone(44_100, 9500, 1)), ...resampler.end()].slice(1000, 15_000);
  expect(Math.max(...output.map(Math.abs))).toBeLessThan(0.005);
});

test('a wav file of 48 kHz becomes parts of 16 kHz with the same times', async () => {
  const sound = noise(48_000 * 13).map((value, index) => (index % 144_000 < 24_000 ? 0 : value));
  const parts = await cut(wavFile(sound, 48_000), 5);
  const whole = createResampler(48_000, 16_000);
  const expected = new Float32Array([...whole.push(sound), ...whole.end()]);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.at(-1)?.end).toBeCloseTo(13, 6);
  for (const part of parts) {
    expect(part.description).toBe('wav (16-bit PCM, 1 channel, 16000 Hz)');
    const place = Math.round(part.offset * 16_000);
    const errors = samplesOf(part).map((sample, index) => Math.abs(sample - (expected[place + index] ?? 1)));
    expect(Math.max(...errors.slice(0, 60_000), ...errors.slice(60_000))).toBeLessThan(0.0001);
  }
});

test('a wav file that is small already stays as it is', async () => {
  const file = wavFile(noise(16_000 * 2), 16_000);
  expect((await cut(file)).map(({ bytes }) => bytes)).toEqual([file]);
});

test('what needs a decoder is refused in words, however small it is', async () => {
  for (const [bytes, words] of [
    [await opusFile(noise(48_000 * 2)), /Opus.*ffmpeg.*shrink/],
    [new Uint8Array([...new TextEncoder().encode('#!AMR\n'), ...new Uint8Array(3000)]), /amr.*ffmpeg/],
  ] as const) {
    const error = await cut(bytes).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RecordingError);
    expect(String(error)).toMatch(words);
  }
});

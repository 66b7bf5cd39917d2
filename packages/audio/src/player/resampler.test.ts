import { expect, test } from 'vitest';
import { Resampler } from './resampler.ts';

test.each([
  [24_000, 48_000],
  [44_100, 48_000],
  [48_000, 44_100],
  [8000, 8000],
])('from %i to %i Hz a tone stays that tone, however it is cut', (from, to) => {
  const tone = Float32Array.from({ length: from / 10 }, (_, index) =>
    Math.sin((2 * Math.PI * 440 * index) / from),
  );
  for (const size of [1, 7, 441, tone.length]) {
    const resampler = new Resampler(from, to);
    const output: number[] = [];
    for (let start = 0; start < tone.length; start += size) {
      output.push(...resampler.push(tone.subarray(start, start + size)));
    }
    output.push(...resampler.end());
    expect(Math.abs(output.length - to / 10)).toBeLessThanOrEqual(1);
    for (let index = 4; index < output.length - 4; index++) {
      expect(output[index]).toBeCloseTo(Math.sin((2 * Math.PI * 440 * index) / to), 2);
    }
  }
});

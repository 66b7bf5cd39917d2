import { expect, test } from 'vitest';
import { drawWaveform, Peaks } from './peaks.ts';

test('pieces may be cut anywhere, and their rate need not divide', () => {
  const whole = Float32Array.from({ length: 44_100 }, (_, index) => Math.sin(index / 50) * (index / 44_100));
  const [once, inPieces] = [new Peaks(), new Peaks()];
  once.add(whole, 44_100);
  for (let from = 0; from < whole.length; from += 997) inPieces.add(whole.slice(from, from + 997), 44_100);
  expect(inPieces.seconds).toBeCloseTo(1, 3);
  expect(inPieces.columns(50, 1)).toEqual(once.columns(50, 1));
});

test('a waveform is one closed outline around the middle', () => {
  expect(drawWaveform([0, 1], 100, 20)).toBe('M0 9.5L0 9.5L50 1L50 19L0 10.5Z');
});

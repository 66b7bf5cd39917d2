import { expect, test } from 'vitest';
import { drawWaveform, Peaks } from './peaks.ts';

const samples = (values: readonly number[], sampleRate: number) =>
  [Float32Array.from(values), sampleRate] as const;

test('a column holds the loudest sample of its part, whatever its sign', () => {
  const peaks = new Peaks();
  peaks.add(...samples([...Array(100).fill(0.1), -0.9, ...Array(99).fill(0.2)], 1000));
  expect(peaks.columns(2, 0.2).map((peak) => peak.toFixed(2))).toEqual(['0.10', '0.90']);
});

test('pieces may be cut anywhere, and their rate need not divide', () => {
  const whole = Array.from({ length: 44_100 }, (_, index) => Math.sin(index / 50) * (index / 44_100));
  const once = new Peaks();
  once.add(...samples(whole, 44_100));
  const inPieces = new Peaks();
  for (let from = 0; from < whole.length; from += 997)
    inPieces.add(...samples(whole.slice(from, from + 997), 44_100));
  expect(inPieces.seconds).toBeCloseTo(1, 3);
  expect(inPieces.columns(50, 1)).toEqual(once.columns(50, 1));
});

test('what has not arrived is silent', () => {
  const peaks = new Peaks();
  peaks.add(...samples(Array(100).fill(0.5), 1000));
  expect(peaks.columns(4, 0.4)).toEqual([0.5, 0, 0, 0]);
});

test('a waveform is one closed outline around the middle', () => {
  expect(drawWaveform([0, 1], 100, 20)).toBe('M0 9.5L0 9.5L50 1L50 19L0 10.5Z');
});

test('the loudest reaches the edge, and what is quiet stays small', () => {
  expect(drawWaveform([0.4, 0.2], 100, 20)).toContain('M0 1L0 1L50 5.5');
  expect(drawWaveform([0.02], 100, 20)).toContain('M0 9.1');
});

import { expect, test } from 'vitest';
import { toneAsWav } from './tone.ts';

test('a tone is a wav file of the length that was asked for, and no second of it is silent', () => {
  const file = Buffer.from(toneAsWav({ seconds: 2.5, sampleRate: 8000 }));
  expect(file.length).toBe(44 + 2.5 * 8000 * 2);
  expect(file.subarray(0, 4).toString('latin1')).toBe('RIFF');
  expect(file.readUInt32LE(24)).toBe(8000);
  expect(file.readUInt32LE(40)).toBe(file.length - 44);
  for (const second of [0, 1, 2]) {
    const levels = Array.from({ length: 4000 }, (_none, index) =>
      Math.abs(file.readInt16LE(44 + (second * 8000 + index) * 2)),
    );
    expect(Math.max(...levels)).toBeGreaterThan(10_000);
  }
});

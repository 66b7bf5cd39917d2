import { describe, expect, test } from 'vitest';
import { medianPitch, type Recording } from './median-pitch.ts';

/** Pulses at a pitch, as a voice makes them: all harmonics, each weaker than the one below. */
function voice(pitch: number, seconds: number, sampleRate: number): Recording {
  const samples = Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, index) => {
    const time = index / sampleRate;
    let sum = 0;
    for (let harmonic = 1; harmonic * pitch < Math.min(3000, sampleRate / 2); harmonic += 1) {
      sum += Math.sin(2 * Math.PI * harmonic * pitch * time + harmonic) / harmonic;
    }
    return 0.2 * sum;
  });
  return { samples, sampleRate };
}

/** The same numbers every time. */
function noise(length: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647 - 0.5;
  });
}

describe('medianPitch', () => {
  test.each([70, 110, 180, 260, 400])('finds %i Hz at any sample rate', (pitch) => {
    for (const sampleRate of [8000, 22050, 44100, 48000]) {
      expect(Math.abs((medianPitch(voice(pitch, 1, sampleRate)) ?? 0) / pitch - 1)).toBeLessThan(0.02);
    }
  });

  test('does not depend on how loud the recording is', () => {
    const { samples, sampleRate } = voice(150, 1, 16000);
    const soft = samples.map((sample) => sample / 100);
    expect(medianPitch({ samples: soft, sampleRate })).toBeCloseTo(150, 0);
  });

  test('hears none in noise, in silence and in next to nothing', () => {
    expect(medianPitch({ samples: noise(16000), sampleRate: 16000 })).toBeUndefined();
    expect(medianPitch({ samples: new Float32Array(16000), sampleRate: 16000 })).toBeUndefined();
    expect(medianPitch({ samples: new Float32Array(10), sampleRate: 16000 })).toBeUndefined();
    expect(medianPitch({ samples: new Float32Array(0), sampleRate: 16000 })).toBeUndefined();
  });
});

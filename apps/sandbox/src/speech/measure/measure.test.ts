import { describe, expect, it } from 'vitest';
import { wavOf } from '../testing/wav-of.ts';
import { hearClip } from './hear-clip.ts';
import type { Recording } from './lower-rate.ts';
import { medianPitch } from './median-pitch.ts';
import { readWav } from './read-wav.ts';
import { speakingIn } from './speaking.ts';

/** Pulses at a pitch, as a voice makes them: all harmonics, each weaker than the one below. */
function voice(pitch: number, seconds: number, sampleRate: number, syllables = 0): Recording {
  const samples = Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, index) => {
    const time = index / sampleRate;
    const swell = syllables === 0 ? 1 : Math.max(0.02, Math.sin(Math.PI * syllables * time) ** 2);
    let sum = 0;
    for (let harmonic = 1; harmonic * pitch < Math.min(3000, sampleRate / 2); harmonic += 1) {
      sum += Math.sin(2 * Math.PI * harmonic * pitch * time + harmonic) / harmonic;
    }
    return 0.2 * swell * sum;
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
  it.each([70, 110, 180, 260, 400])('finds %i Hz at any sample rate', (pitch) => {
    for (const sampleRate of [8000, 22050, 44100, 48000]) {
      expect(Math.abs((medianPitch(voice(pitch, 1, sampleRate)) ?? 0) / pitch - 1)).toBeLessThan(0.02);
    }
  });

  it('does not depend on how loud the recording is', () => {
    const { samples, sampleRate } = voice(150, 1, 16000);
    const soft = samples.map((sample) => sample / 100);
    expect(medianPitch({ samples: soft, sampleRate })).toBeCloseTo(150, 0);
  });

  it('hears none in noise, in silence and in next to nothing', () => {
    expect(medianPitch({ samples: noise(16000), sampleRate: 16000 })).toBeUndefined();
    expect(medianPitch({ samples: new Float32Array(16000), sampleRate: 16000 })).toBeUndefined();
    expect(medianPitch({ samples: new Float32Array(10), sampleRate: 16000 })).toBeUndefined();
    expect(medianPitch({ samples: new Float32Array(0), sampleRate: 16000 })).toBeUndefined();
  });
});

const syllableRate = (recording: Recording) => speakingIn(recording)?.syllableRate;

describe('speakingIn', () => {
  it.each([2, 4, 6])('counts %i swells of the voice a second', (syllables) => {
    const heard = syllableRate(voice(120, 4, 16000, syllables)) ?? 0;
    expect(Math.abs(heard / syllables - 1)).toBeLessThan(0.15);
  });

  it('leaves pauses out', () => {
    const { samples, sampleRate } = voice(120, 4, 16000, 4);
    const paused = new Float32Array(samples.length * 2);
    paused.set(samples.subarray(0, samples.length / 2));
    paused.set(samples.subarray(samples.length / 2), (samples.length * 3) / 2);
    expect(speakingIn({ samples: paused, sampleRate })?.seconds).toBeCloseTo(4, 0);
    expect(syllableRate({ samples: paused, sampleRate })).toBeCloseTo(
      syllableRate({ samples, sampleRate }) ?? 0,
      0,
    );
  });

  it('tells none where too little is heard', () => {
    expect(syllableRate(voice(120, 0.5, 16000, 4))).toBeUndefined();
    expect(syllableRate({ samples: new Float32Array(32000), sampleRate: 16000 })).toBeUndefined();
  });
});

describe('readWav', () => {
  const numbers = Int16Array.from([0, 16384, -32768, 8192]);
  const wav = wavOf(numbers, 16000);

  it('reads samples of 16 bits, and of a file whose sizes were never written', () => {
    const streamed = Buffer.from(wav);
    streamed.writeUInt32LE(0xffffffff, 40);
    for (const file of [wav, streamed]) {
      expect(readWav(file)?.sampleRate).toBe(16000);
      expect([...(readWav(file)?.samples ?? [])]).toEqual([0, 0.5, -1, 0.25]);
    }
  });

  it('reads 8, 24 and 32 bits, floats, and the mean of channels, past chunks it does not know', () => {
    const file = (kind: number, channels: number, bits: number, data: Buffer) => {
      const form = Buffer.alloc(16);
      form.writeUInt16LE(kind, 0);
      form.writeUInt16LE(channels, 2);
      form.writeUInt32LE(8000, 4);
      form.writeUInt16LE(bits, 14);
      const chunk = (tag: string, body: Buffer) => {
        const size = Buffer.alloc(4);
        size.writeUInt32LE(body.length);
        return Buffer.concat([Buffer.from(tag, 'latin1'), size, body, Buffer.alloc(body.length % 2)]);
      };
      const body = [chunk('LIST', Buffer.from('odd')), chunk('fmt ', form), chunk('data', data)];
      return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), ...body]);
    };
    const floats = Buffer.from(Float32Array.from([0.5, Number.NaN]).buffer);
    const samples = (bytes: Uint8Array) => [...(readWav(bytes)?.samples ?? [])];
    expect(samples(file(1, 1, 8, Buffer.from([128, 192, 0])))).toEqual([0, 0.5, -1]);
    expect(samples(file(1, 1, 24, Buffer.from([0, 0, 0x40, 0, 0, 0x80])))).toEqual([0.5, -1]);
    expect(samples(file(1, 1, 32, Buffer.from([0, 0, 0, 0x40])))).toEqual([0.5]);
    expect(samples(file(3, 1, 32, floats))).toEqual([0.5, 0]);
    expect(samples(file(1, 2, 16, Buffer.from(Int16Array.from([16384, 0]).buffer)))).toEqual([0.25]);
    expect(readWav(file(2, 1, 4, Buffer.alloc(8)))).toBeUndefined();
    expect(readWav(file(1, 0, 16, Buffer.alloc(8)))).toBeUndefined();
  });

  it('never fails, wherever a file is cut', () => {
    for (let length = 0; length < wav.length; length += 1) {
      expect(readWav(wav.subarray(0, length))?.samples.length ?? 0).toBeLessThanOrEqual(4);
    }
    expect(hearClip(Buffer.from('ID3 and then something else'))).toEqual({});
  });
});

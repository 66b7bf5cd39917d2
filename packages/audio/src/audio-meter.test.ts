import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinBytes } from './bytes.ts';
import { createAudioMeter, measureAudio } from './index.ts';
import { mp3Tone, opusTone, pcmTone, wavTone } from './testing/audio.ts';

describe('audio meter', () => {
  test.each([8000, 16000, 24000, 32000, 44100])(
    'measures wav and pcm at %i Hz to the sample',
    (sampleRate) => {
      expect(measureAudio(wavTone(1.5, sampleRate), 'wav')).toMatchObject({
        seconds: 1.5,
        sampleRate,
        channels: 1,
      });
      expect(measureAudio(pcmTone(1.5, sampleRate), 'pcm', { sampleRate })).toMatchObject({ seconds: 1.5 });
    },
  );

  test.each([32000, 44100] as const)('measures mp3 at %i Hz to within its frames', async (sampleRate) => {
    const measure = measureAudio(await mp3Tone(2, sampleRate), 'mp3');
    // An encoder adds its delay and fills the last frame: up to three frames without an information frame.
    expect(measure.seconds).toBeGreaterThanOrEqual(2);
    expect(measure.seconds).toBeLessThan(2 + (3 * 1152) / sampleRate);
    expect(measure).toMatchObject({ sampleRate, channels: 1, leftoverBytes: 0 });
    expect(measure.samples).toBe(measure.frames * 1152);
  });

  test('measures opus to the sample', async () => {
    expect(measureAudio(await opusTone(1.2345), 'opus')).toMatchObject({
      seconds: 1.2345,
      sampleRate: 48000,
      channels: 1,
      leftoverBytes: 0,
    });
  });

  test('takes pcm for 44100 Hz mono unless told', () => {
    expect(measureAudio(new Uint8Array(88200), 'pcm').seconds).toBe(1);
    expect(measureAudio(new Uint8Array(88200), 'pcm', { channels: 2, sampleRate: 22050 }).seconds).toBe(1);
  });

  test('measures pieces that are cut anywhere as the whole', async () => {
    const files = {
      wav: wavTone(0.3, 8000),
      mp3: await mp3Tone(0.3, 44100),
      opus: await opusTone(0.3),
      pcm: pcmTone(0.1, 8000),
    };
    for (const format of ['wav', 'mp3', 'opus', 'pcm'] as const) {
      const file = files[format];
      const { seconds, frames, leftoverBytes } = measureAudio(file, format);
      const check = (places: readonly number[]): void => {
        const meter = createAudioMeter(format);
        const ends = [...places.toSorted((first, second) => first - second), file.length];
        for (const [index, end] of ends.entries()) meter.push(file.subarray(ends[index - 1] ?? 0, end));
        meter.end();
        expect(meter, format).toMatchObject({ seconds, frames, leftoverBytes });
      };
      for (let place = 0; place <= file.length; place++) check([place]);
      check(Array.from(file.keys()));
      fc.assert(fc.property(fc.array(fc.nat(file.length), { maxLength: 40 }), check), { numRuns: 50 });
    }
  });

  test('shows empty audio and audio that was cut', async () => {
    expect(measureAudio(wavTone(0, 8000), 'wav')).toMatchObject({ seconds: 0, frames: 0, leftoverBytes: 0 });
    expect(measureAudio(wavTone(0, 8000).subarray(0, 20), 'wav').leftoverBytes).toBe(20);
    expect(measureAudio(new Uint8Array(5), 'pcm')).toMatchObject({ frames: 2, leftoverBytes: 1 });
    expect(measureAudio(new Uint8Array(0), 'mp3')).toMatchObject({ seconds: 0, frames: 0, leftoverBytes: 0 });
    const mp3 = await mp3Tone(0.3, 44100);
    expect(measureAudio(mp3.subarray(0, mp3.length - 5), 'mp3').leftoverBytes).toBeGreaterThan(0);
    const opus = await opusTone(0.3);
    expect(measureAudio(opus.subarray(0, opus.length - 5), 'opus').leftoverBytes).toBeGreaterThan(0);
  });

  test('takes away the delay and padding that an mp3 declares', async () => {
    const audio = await mp3Tone(1, 44100);
    const information = new Uint8Array(417);
    information.set(audio.subarray(0, 4));
    information[2] = (information[2] ?? 0) & ~2;
    information.set(new TextEncoder().encode('Info'), 21);
    information.set([0x24, 0x03, 0xe8], 29 + 21);
    const before = measureAudio(audio, 'mp3');
    const after = measureAudio(joinBytes([information, audio]), 'mp3');
    expect(after.samples).toBe(before.samples - 576 - 1000);
    expect(after.frames).toBe(before.frames);
  });
});

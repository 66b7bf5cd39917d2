import { createSpeechClient } from '@speech-api/client';
import { describe, expect, test } from 'vitest';
import { openLivePage } from './testing/live-page.ts';
import { audible, likeness, samplesOf } from './testing/live-samples.ts';

describe('live playback in Chromium', () => {
  test.each([
    { format: 'pcm', sample_rate: 24_000 },
    { format: 'wav', sample_rate: 44_100 },
    { format: 'mp3' },
    { format: 'opus' },
  ] as const)('$format through a relay is heard whole, then drained resolves', async (request) => {
    const { hear, sandboxUrl, failures } = await openLivePage(request);
    const client = createSpeechClient({ baseUrl: sandboxUrl, apiKey: 'sandbox-key' });
    // A busy machine may be late with the rest of a text, and then the sound would run dry.
    for (const text of ['The baker opens at six.', 'Yes.', 'Nobody is there.']) {
      const { bytes, drainedTime, heard, underruns, latencyMilliseconds } = await hear(text, {
        isWhole: true,
      });
      expect(drainedTime).toBeGreaterThanOrEqual(heard.lastTime);
      expect(underruns).toBe(0);
      expect(latencyMilliseconds).toBeGreaterThan(50);
      const recording = { samples: samplesOf(heard.samples), sampleRate: heard.sampleRate };
      if (request.format === 'pcm') expect(recording.samples).toEqual(audible(samplesOf(bytes)));
      else {
        const speech = await client.speech.create({ text, format: 'pcm', sample_rate: 44_100 });
        const samples = audible(samplesOf(Buffer.from(await speech.bytes()).toString('base64')));
        expect(likeness(recording, { samples, sampleRate: 44_100 }), text).toBeGreaterThan(0.97);
      }
    }
    expect(failures).toEqual([]);
  });

  test('an utterance shorter than the start buffer is heard', async () => {
    const { hear } = await openLivePage({ format: 'pcm', sample_rate: 24_000 });
    const { bytes, heard, latencyMilliseconds } = await hear('I', { firstBytes: 4800 });
    expect(samplesOf(bytes).length / 24).toBeLessThan(latencyMilliseconds);
    expect(samplesOf(heard.samples)).toEqual(audible(samplesOf(bytes)));
    expect(samplesOf(heard.samples).length).toBeGreaterThan(0);
  });

  // The beginning of 1024 bytes is 12 ms of pcm, which never starts the sound, and 250 ms of opus, which does.
  test.each([{ format: 'pcm', sample_rate: 24_000 }, { format: 'opus' }] as const)(
    '$format from a service that stutters runs dry once at most, and then no more',
    async (request) => {
      const { hear } = await openLivePage(request, { latencyProfile: 'stutter' });
      const counts: number[] = [];
      for (let round = 0; round < 7; round += 1) counts.push((await hear('Yes.')).underruns);
      expect(counts[0]).toBeLessThanOrEqual(1);
      expect(counts).toEqual(counts.map(() => counts[0]));
    },
  );
});

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
});

import { createSpeechClient } from '@speech-api/client';
import { complete } from '@speech-api/config/suite';
import { connectLive } from '@speech-api/live';
import { describe, expect, test } from 'vitest';
import { openLivePage } from './testing/live-page.ts';
import { audible, samplesOf } from './testing/live-samples.ts';

const rounds = complete ? 100 : 6;
const request = { format: 'pcm', sample_rate: 24_000, latency: 'low' } as const;
const texts = [
  'The baker opens at six, and the first customers are waiting outside. ',
  'Nobody knows when the last boat leaves the harbour in winter. ',
].map((text) => text.repeat(2));

describe('barge-in in Chromium', () => {
  test('time and again: what was heard is known within 50 ms, and the next utterance is clean', async () => {
    // The audio arrives three times as fast as playback, so the service is still speaking at the interruption.
    const { page, hear, interrupt, sandboxUrl, failures } = await openLivePage(request, 3 * 48_000);
    let sockets = 0;
    page.on('websocket', () => {
      sockets += 1;
    });
    const whole = await Promise.all([...texts, 'Yes.'].map((text) => spoken(sandboxUrl, text)));
    let ranDry = 0;
    for (let round = 0; round < rounds; round += 1) {
      const [text = '', all = Buffer.alloc(0)] = [texts[round % 2], whole[round % 2]];
      // The first interruption comes before anything is heard.
      const result = await interrupt(text, round === 0 ? 0 : 40 + ((round * 37) % 100));
      expect(sockets).toBe(round);
      const bytes = Buffer.from(result.bytes, 'base64');
      expect(bytes.length).toBeLessThan(all.length);
      expect(bytes).toEqual(all.subarray(0, bytes.length));
      const sound = samplesOf(result.heard.samples);
      const samples = samplesOf(all.toString('base64'));
      if (result.underruns > ranDry) {
        // On a busy machine the sound has gaps, which is the only fault.
        ranDry = result.underruns;
        const sounding = sound.filter((sample) => sample !== 0);
        expect(sounding).toEqual(samples.filter((sample) => sample !== 0).subarray(0, sounding.length));
        continue;
      }
      const begin = sound.length === 0 ? 0 : samples.findIndex((sample) => sample !== 0);
      expect(sound).toEqual(samples.subarray(begin, begin + sound.length));
      // Samples in the output buffer were not heard before the stop. In a pause, any moment is correct.
      const later = Math.max(0, Math.round((result.heard.lastTime - result.outputTime) * 24_000));
      const last = Math.max(0, begin + sound.length - later);
      const next = samples.findIndex((sample, index) => index >= last && sample !== 0);
      expect(result.playedMs).toBeGreaterThanOrEqual(last / 24 - 50);
      expect(result.playedMs).toBeLessThanOrEqual(next / 24 + 50);
      // Seconds of audio were waiting.
      expect(result.heard.lastTime - result.stopTime).toBeLessThan(0.25);
      expect(text.startsWith(result.text)).toBe(true);
      expect(result.estimated).toBe(true);
    }
    const { bytes, heard } = await hear('Yes.', { isWhole: true });
    expect(bytes).toBe(whole[2]?.toString('base64'));
    expect(samplesOf(heard.samples)).toEqual(audible(samplesOf(bytes)));
    expect(sockets).toBe(rounds);
    expect(failures).toEqual([]);
  }, 240_000);
});

/** Audio directly from the service, without interruption. */
async function spoken(baseUrl: string, text: string): Promise<Buffer> {
  const connection = await connectLive(createSpeechClient({ baseUrl, apiKey: 'sandbox-key' }), request);
  const pieces: Uint8Array[] = [];
  for await (const piece of connection.speak(text)) pieces.push(piece);
  connection.close();
  return Buffer.concat(pieces);
}

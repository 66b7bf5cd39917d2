import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspect } from '../audio/inspect.ts';
import { mp3Of, opusOf, pcmOf, wavOf } from '../testing/sound.ts';
import { lengthOf } from './judged-audio.ts';

const mp3 = await mp3Of(1, 44_100, 128);
const opus = await opusOf(1, 32_000);
const pcm = pcmOf(1, 8000);
const wav = wavOf(pcm, 8000);
const expected = { format: 'pcm', sampleRate: 8000 } as const;

describe('good audio', () => {
  test.each([
    ['mp3', mp3, { sampleRate: 44_100, channels: 1, frameBitrates: [128] }],
    ['opus', opus, { sampleRate: 48_000, channels: 1 }],
    ['wav', wav, { sampleRate: 8000, channels: 1, bitsPerSample: 16, samples: 8000 }],
    ['pcm', pcm, { sampleRate: 8000, samples: 8000 }],
  ])('is understood: %s', async (format, bytes, facts) => {
    const found = await inspect(bytes, expected);
    expect(found).toMatchObject({ format, damage: [], ...facts });
    expect(found.cut).toBeUndefined();
    expect(Math.abs(found.seconds - 1)).toBeLessThan(0.08);
    expect(found.peak).toBeGreaterThan(0.3);
  });

  test('has the same fingerprint whatever its header says', async () => {
    const other = wavOf(pcm, 8000, { sizes: 0xffff_ffff });
    expect((await inspect(other, expected)).fingerprint).toBe((await inspect(wav, expected)).fingerprint);
  });
});

describe('opus with one byte changed', () => {
  test('is found damaged or cut, wherever the byte is', async () => {
    for (let at = 0; at < opus.length; at += Math.ceil(opus.length / 40)) {
      const changed = Uint8Array.from(opus, (byte, index) => (index === at ? byte ^ 1 : byte));
      const { damage, cut, format } = await inspect(changed, { format: 'opus', sampleRate: 48_000 });
      expect(format === 'other' || damage.length > 0 || cut !== undefined).toBe(true);
    }
  });
});

describe('bytes of any kind', () => {
  const damaged = fc.record({
    source: fc.constantFrom(mp3, opus, wav),
    at: fc.nat({ max: 4000 }),
    bytes: fc.uint8Array({ maxLength: 40 }),
    end: fc.nat({ max: 20_000 }),
  });

  test('are inspected without a fault', async () => {
    await fc.assert(
      fc.asyncProperty(damaged, async ({ source, at, bytes, end }) => {
        const changed = Buffer.from(source.subarray(0, end));
        changed.set(bytes.subarray(0, Math.max(0, changed.length - at)), Math.min(at, changed.length));
        const found = await inspect(changed, { format: 'mp3', sampleRate: 44_100 });
        expect(Number.isFinite(found.seconds)).toBe(true);
      }),
      { numRuns: 60, seed: 3 },
    );
  });
});

test('tells how long a file lasts, and nothing of one that it can not read', async () => {
  expect(await lengthOf(wav)).toBe(1);
  expect(await lengthOf(Buffer.from('no audio at all'))).toBeUndefined();
});

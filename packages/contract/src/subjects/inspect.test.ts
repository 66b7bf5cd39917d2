import { expect, test } from 'vitest';
import { inspect } from '../audio/inspect.ts';
import { mp3Of, opusOf, pcmOf, wavOf } from '../testing/sound.ts';
import { lengthOf } from './judged-audio.ts';

const mp3 = await mp3Of(1, 44_100, 128);
const opus = await opusOf(1, 32_000);
const pcm = pcmOf(1, 8000);
const wav = wavOf(pcm, 8000);
const expected = { format: 'pcm', sampleRate: 8000 } as const;

test.each([
  ['mp3', mp3, { sampleRate: 44_100, channels: 1, frameBitrates: [128] }],
  ['opus', opus, { sampleRate: 48_000, channels: 1 }],
  ['wav', wav, { sampleRate: 8000, channels: 1, bitsPerSample: 16, samples: 8000 }],
  ['pcm', pcm, { sampleRate: 8000, samples: 8000 }],
])('good audio is understood: %s', async (format, bytes, facts) => {
  const inspected = await inspect(bytes, expected);
  expect(inspected).toMatchObject({ format, damage: [], ...facts });
  expect(inspected.cut).toBeUndefined();
  expect(Math.abs(inspected.seconds - 1)).toBeLessThan(0.08);
  expect(inspected.peak).toBeGreaterThan(0.3);
});

test('good audio has the same fingerprint whatever its header says', async () => {
  const stream = wavOf(pcm, 8000, { sizes: 0xffff_ffff });
  expect((await inspect(stream, expected)).fingerprint).toBe((await inspect(wav, expected)).fingerprint);
});

test('tells how long a file lasts, and nothing of one that it can not read', async () => {
  expect(await lengthOf(wav)).toBe(1);
  expect(await lengthOf(Buffer.from('no audio at all'))).toBeUndefined();
});

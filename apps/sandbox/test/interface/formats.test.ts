import { mp3Bitrates, opusBitrates, sampleRates } from '@speech-api/types';
import { expect, test } from 'vitest';
import { readMp3, readOgg, readWav } from '../../src/speech/testing/read-audio.ts';
import { expectGeneral, expectIssues, useCalls } from './calls.ts';

const { speak } = useCalls('real');
const text = 'One short line.';

async function audio(request: Readonly<Record<string, unknown>>): Promise<Uint8Array> {
  const response = await speak({ text, ...request });
  expect(response.status).toBe(200);
  return response.bytes();
}

test.each(sampleRates.wav)(
  'section 2.3: wav has the rate that is asked for, in 16 bits, mono',
  async (rate) => {
    const header = readWav(await audio({ format: 'wav', sample_rate: rate }));
    expect(header).toMatchObject({ sampleRate: rate, channels: 1, bitsPerSample: 16, format: 1 });
  },
);

test('section 2.3: wav and pcm have 44100 Hz unless told otherwise', async () => {
  expect(readWav(await audio({ format: 'wav' })).sampleRate).toBe(44_100);
  const given = await audio({ format: 'pcm', sample_rate: 44_100 });
  expect((await audio({ format: 'pcm' })).byteLength).toBe(given.byteLength);
  expect((await audio({ format: 'pcm', sample_rate: null })).byteLength).toBe(given.byteLength);
});

test('section 2.3: pcm is 16-bit mono without a header, as many bytes as the rate says', async () => {
  const [low, high] = await Promise.all(
    [8000, 32_000].map((rate) => audio({ format: 'pcm', sample_rate: rate })),
  );
  expect((low?.byteLength ?? 1) % 2).toBe(0);
  expect((high?.byteLength ?? 0) / (low?.byteLength ?? 1)).toBeCloseTo(4, 1);
});

test.each(sampleRates.mp3)('section 2.3: mp3 has the rate that is asked for, mono', async (rate) => {
  const frames = readMp3(await audio({ format: 'mp3', sample_rate: rate }));
  expect(new Set(frames.map(({ sampleRate, mono }) => `${sampleRate} ${mono}`))).toEqual(
    new Set([`${rate} true`]),
  );
});

test.each(mp3Bitrates)('section 2.3: mp3 has the bitrate that is asked for', async (bitrate) => {
  const frames = readMp3(await audio({ format: 'mp3', mp3_bitrate: bitrate }));
  expect(new Set(frames.map((frame) => frame.bitrate))).toEqual(new Set([bitrate]));
});

test('section 2.3: mp3 has 44100 Hz and 128 kbps unless told otherwise', async () => {
  const [frame] = readMp3(await audio({ format: 'mp3' }));
  expect(frame).toMatchObject({ sampleRate: 44_100, bitrate: 128 });
});

test('section 2.3: opus is mono at 48000 Hz, in Ogg pages', async () => {
  const [head] = readOgg(await audio({ format: 'opus' }))[0]?.packets ?? [];
  const packet = Buffer.from(head ?? []);
  expect(packet.toString('latin1', 0, 8)).toBe('OpusHead');
  expect(packet[9]).toBe(1);
  expect(packet.readUInt32LE(12)).toBe(48_000);
});

test('section 2.3: a higher opus bitrate makes more bytes, and -1000 is automatic', async () => {
  const sizes = new Map<number, number>();
  for (const bitrate of opusBitrates) {
    sizes.set(bitrate, (await audio({ format: 'opus', opus_bitrate: bitrate })).byteLength);
  }
  expect(sizes.get(64_000)).toBeGreaterThan(sizes.get(24_000) ?? Number.POSITIVE_INFINITY);
  expect((await audio({ format: 'opus' })).byteLength).toBe(sizes.get(-1000));
});

test.each([
  ['wav', 48_000],
  ['pcm', 48_000],
  ['mp3', 8000],
  ['opus', 44_100],
])('section 2.3: a rate that the format does not have is refused', async (format, rate) => {
  expect(await expectGeneral(await speak({ text, format, sample_rate: rate }), 400)).toContain('sample_rate');
});

test('section 2.3: a bitrate that there is not is refused', async () => {
  expect(await expectIssues(await speak({ text, mp3_bitrate: 96 }))).toEqual(['body', 'mp3_bitrate']);
  expect(await expectIssues(await speak({ text, format: 'opus', opus_bitrate: 32 }))).toEqual([
    'body',
    'opus_bitrate',
  ]);
});

test('section 2.3: a bitrate of another format is without effect', async () => {
  const plain = await audio({ format: 'wav' });
  expect(await audio({ format: 'wav', mp3_bitrate: 64, opus_bitrate: 24_000 })).toEqual(plain);
});

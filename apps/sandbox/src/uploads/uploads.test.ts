import { afterAll, describe, expect, test } from 'vitest';
import { UnreadableAudioError } from './sound.ts';
import { makeAdts, makeFlac, makeFlacBomb, makeM4a, makeWebm, writeWav } from './testing/make-files.ts';
import { encode, noise, tone, voiceLike } from './testing/sounds.ts';
import { createUploads } from './uploads.ts';

const uploads = createUploads({ outsideDecoder: null });
afterAll(() => uploads.close());

describe('a file of another sender', () => {
  test.each([
    ['wav', 'pcm', 0.001, () => encode(tone(2))],
    ['mp3', 'mp3', 0.1, () => encode(tone(2), { format: 'mp3', sampleRate: 44100 })],
    ['ogg', 'opus', 0.001, () => encode(tone(2), { format: 'opus', sampleRate: 48000 })],
    [
      'webm',
      'opus',
      0.03,
      async () => makeWebm(await encode(tone(2), { format: 'opus', sampleRate: 48000 })),
    ],
    ['flac', 'flac', 0.001, async () => makeFlac(tone(2, 220, 16000))],
  ] as const)('is decoded and measured: %s with %s', async (container, codec, slack, make) => {
    const clip = await uploads.inspectClip(await make());
    expect(clip).toMatchObject({ container, codec, channels: 1, decoded: true, cut: false });
    expect(Math.abs(clip.duration - 2)).toBeLessThanOrEqual(slack);
    expect(clip.pitch).toBeCloseTo(220, -1);
  });

  test('is measured from its packets where nothing decodes it: m4a without a decoder on the machine', async () => {
    const clip = await uploads.inspectClip(await makeM4a(3));
    expect(clip).toMatchObject({ container: 'mp4', codec: 'aac', decoded: false, sampleRate: 44100 });
    expect(clip.duration).toBeCloseTo(3, 1);
    expect(clip.pitch).toBeUndefined();
  });

  test.each([
    [8, 1, 8000],
    [16, 2, 44100],
    [24, 1, 48000],
    [32, 2, 96000],
  ])('is read as wav with %i bits, %i channels and %i Hz', async (bitsPerSample, channels, sampleRate) => {
    const file = writeWav(tone(1.5, 200, sampleRate), { bitsPerSample, channels, sampleRate });
    const clip = await uploads.inspectClip(file);
    expect(clip).toMatchObject({ channels, sampleRate, duration: 1.5 });
    expect(clip.pitch).toBeCloseTo(200, -1);
  });

  test('is counted, whatever its head says of its length', async () => {
    for (const dataBytes of [0x7fff_f000, 0xffff_ffff, 40_000_000]) {
      const file = writeWav(tone(2, 220, 16000), { sampleRate: 16000, dataBytes });
      expect((await uploads.inspectClip(file)).duration).toBe(2);
    }
    const mp3 = await encode(tone(2), { format: 'mp3', sampleRate: 44100 });
    const lying = Buffer.concat([xingFrame(1_000_000), mp3]);
    expect((await uploads.inspectClip(lying)).duration).toBeCloseTo(2, 0);
  });

  test('is decoded to its last sample, though the last frame of the flac file has only one', async () => {
    const clip = await uploads.inspectClip(
      makeFlac(Int16Array.from({ length: 4096 * 8 + 1 }, (_, index) => index % 5000)),
    );
    expect(clip.duration * 16_000).toBe(4096 * 8 + 1);
  });

  test('tells a low voice from a high one, and a slow one from a fast one', async () => {
    const low = await uploads.inspectClip(await encode(voiceLike(4, 95, 3)));
    const high = await uploads.inspectClip(await encode(voiceLike(4, 230, 6)));
    expect(low.pitch).toBeCloseTo(95, -1);
    expect(high.pitch).toBeCloseTo(230, -1);
    expect(low.syllableRate ?? 0).toBeGreaterThan(2);
    expect(high.syllableRate ?? 0).toBeGreaterThan(1.5 * (low.syllableRate ?? 0));
    expect(low.loudness).toBeGreaterThan(-30);
  });

  test('has no voice where there is silence, a tone or noise', async () => {
    for (const samples of [new Int16Array(44100), tone(3), noise(3), noise(3, 20_000)]) {
      expect((await uploads.hear(await encode(samples))).voice).toEqual([]);
    }
    expect((await uploads.hear(await encode(voiceLike(3, 120)))).voice.length).toBeGreaterThan(0);
  });
});

describe('a file that was cut or joined, as ffmpeg reads it', () => {
  const mp3 = () => encode(voiceLike(4, 120), { format: 'mp3', sampleRate: 44100 });
  const opus = (seconds: number) => encode(voiceLike(seconds, 120), { format: 'opus', sampleRate: 48000 });

  test('is heard from its first whole frame: mp3 that begins within a frame', async () => {
    const whole = await mp3();
    for (const bytes of [1, 100, 1000, 5000]) {
      const clip = await uploads.inspectClip(whole.subarray(bytes));
      expect(clip).toMatchObject({ container: 'mp3', decoded: true });
      // 64 kbit/s are 8000 bytes a second.
      expect(clip.duration).toBeGreaterThan(4 - bytes / 8000 - 0.1);
    }
  });

  test('is measured from its first whole frame: AAC that begins within a frame', async () => {
    const whole = makeAdts(4);
    for (const bytes of [1, 5, 100]) {
      const clip = await uploads.inspectClip(whole.subarray(bytes));
      expect(clip).toMatchObject({ container: 'adts', codec: 'aac', sampleRate: 44_100, channels: 1 });
      expect(clip.duration).toBeCloseTo(4, 0);
    }
  });

  test('keeps its length when some of its bytes are flipped: AAC', async () => {
    const damaged = makeAdts(18);
    // Each of them in the head of a frame, where a reader that does not look further would stop.
    const frame = damaged.length / Math.ceil((18 * 44_100) / 1024);
    for (const place of [90, 200, 500]) damaged[place * frame] = 0;
    const clip = await uploads.inspectClip(damaged);
    expect(clip.duration).toBeGreaterThan(17.5);
    expect(clip.duration).toBeLessThan(18.1);
  });

  test('is refused when most of it is damaged: AAC', async () => {
    const damaged = Buffer.concat([makeAdts(1), bytesOf(20_000)]);
    await expect(uploads.inspectClip(damaged)).rejects.toThrow('most of its frames are damaged');
  });

  test('is heard up to where it was cut: Opus', async () => {
    const whole = await opus(4);
    for (const share of [0.5, 0.501, 0.75]) {
      const clip = await uploads.inspectClip(whole.subarray(0, Math.floor(whole.length * share)));
      expect(Math.abs(clip.duration - 4 * share)).toBeLessThan(0.25);
    }
  });

  test('is heard as a whole when it was joined: three Opus files', async () => {
    const joined = Buffer.concat([await opus(2), await opus(1), await opus(3)]);
    const clip = await uploads.inspectClip(joined);
    expect(clip.duration).toBe(6);
    expect(clip.voice.at(-1)?.end).toBeGreaterThan(5);
  });
});

describe('a small file that holds more sound than anybody can decode', () => {
  test('is refused within five seconds of processor time', async () => {
    const before = process.cpuUsage();
    await expect(uploads.hear(makeFlacBomb(60_000))).rejects.toThrow('too long');
    const { user, system } = process.cpuUsage(before);
    // Threads start for it as well, and the test runner works in the same process.
    expect((user + system) / 1e6).toBeLessThan(5 + 4);
  });

  // Each keeps its decoder busy for far more than the five seconds.
  test.each([
    ['samples of two thousand million times in m4a', () => crafted('stts', 12)],
    ['two thousand million samples in a chunk of m4a', () => crafted('stsc', 16)],
    ['five thousand segments inside each other in WebM', async () => nestedSegments(5000)],
  ])('gives its decoder back at once when its time is over: %s', async (_, make) => {
    await expect(uploads.hear(await make(), { deadline: 500 })).rejects.toThrow('too long');
    expect((await uploads.hear(await encode(voiceLike(2, 120)))).duration).toBe(2);
  });

  test('never holds up another upload', async () => {
    const leaving = new AbortController();
    let ended = 0;
    const bombs = [60_000, 59_000, 58_000].map((bytes) =>
      uploads.hear(makeFlacBomb(bytes), { signal: leaving.signal }).catch(() => {
        ended += 1;
      }),
    );
    const honest = await uploads.hear(await encode(voiceLike(2, 120)));
    expect(honest.duration).toBe(2);
    leaving.abort();
    await Promise.all(bombs);
    expect(ended).toBe(bombs.length);
  });
});

describe('a file that is damaged', () => {
  const wav = () => encode(voiceLike(2, 120));
  test.each([
    ['nothing', async () => new Uint8Array(0)],
    ['zeros', async () => new Uint8Array(50_000)],
    ['text', async () => new TextEncoder().encode('not audio at all '.repeat(300))],
    ['the head of a wav file', async () => (await wav()).subarray(0, 30)],
    ['512 bytes of flac', async () => makeFlac(tone(2)).subarray(0, 512)],
    ['a flac mark and noise', async () => Buffer.concat([Buffer.from('fLaC'), bytesOf(508)])],
    ['an mp3 mark and noise', async () => Buffer.concat([Buffer.from([0xff, 0xfb]), bytesOf(40)])],
    ['an ID3 tag that never ends', async () => Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f')],
    ['an Ogg mark and noise', async () => Buffer.concat([Buffer.from('OggS'), bytesOf(5000)])],
    [
      'a WebM mark and noise',
      async () => Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), bytesOf(5000)]),
    ],
    ['an m4a mark and noise', async () => Buffer.concat([Buffer.from('\0\0\0\x18ftypM4A '), bytesOf(5000)])],
    ['an m4a file without its end', async () => (await makeM4a(2)).subarray(0, 300)],
  ])('is refused, and the next one is read: %s', async (_, make) => {
    await expect(uploads.hear(await make(), { deadline: 8000 })).rejects.toThrow(UnreadableAudioError);
    expect((await uploads.hear(await wav())).duration).toBe(2);
  });
});

/** An m4a file whose tables say two thousand million where they say how many there are. */
async function crafted(table: string, offset: number): Promise<Buffer> {
  const file = Buffer.from(await makeM4a(1.2));
  file.writeUInt32BE(0x7fff_ffff, file.indexOf(table) + offset);
  return file;
}

/** A WebM file of nothing but the starts of segments without a known length. */
async function nestedSegments(count: number): Promise<Buffer> {
  const file = Buffer.from(await makeWebm(await encode(tone(1), { format: 'opus', sampleRate: 48_000 })));
  const segment = Buffer.from('1853806701ffffffffffffff', 'hex');
  const head = file.subarray(0, file.indexOf(segment.subarray(0, 4)));
  return Buffer.concat([head, ...Array.from({ length: count }, () => segment)]);
}

function bytesOf(length: number): Uint8Array {
  return new Uint8Array(noise(length / 4, 30_000, 1).buffer).subarray(0, length);
}

/** A frame of silence that says how many frames follow. */
function xingFrame(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0xc0]);
  frame.write('Xing', 21);
  frame.writeUInt32BE(3, 25);
  frame.writeUInt32BE(frames, 29);
  frame.writeUInt32BE(0xffff_fff0, 33);
  return frame;
}

import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { UnreadableAudioError } from './sound.ts';
import { makeAdts, makeFlac, makeM4a, makeOggFlac, makeWebm, writeWav } from './testing/make-files.ts';
import { encode, tone, voiceLike } from './testing/sounds.ts';
import { createUploads, type ReadFile } from './uploads.ts';

const uploads = createUploads({ outsideDecoder: null });
afterAll(() => uploads.close());

const wav = (): Promise<Uint8Array> => encode(voiceLike(2, 120));
const mp3 = (): Promise<Uint8Array> => encode(voiceLike(4, 120), { format: 'mp3', sampleRate: 44_100 });
const opus = (seconds = 2): Promise<Uint8Array> =>
  encode(voiceLike(seconds, 120), { format: 'opus', sampleRate: 48_000 });

describe('a file of another sender', () => {
  test.each([
    ['wav', 'pcm', 0.001, wav],
    ['mp3', 'mp3', 0.1, async () => encode(tone(2), { format: 'mp3', sampleRate: 44_100 })],
    ['ogg', 'opus', 0.001, opus],
    ['webm', 'opus', 0.03, async () => makeWebm(await opus())],
    ['ogg', 'flac', 0.001, async () => makeOggFlac(tone(2, 220, 16000))],
    ['flac', 'flac', 0.001, async () => makeFlac(tone(2, 220, 16000))],
  ] as const)('is decoded: %s with %s', async (container, codec, slack, make) => {
    const file = await uploads.read(await make());
    expect(file).toMatchObject({ container, codec, channels: 1, decoded: true, cut: false });
    expect(Math.abs(file.duration - 2)).toBeLessThanOrEqual(slack);
    expect(file.frames.length).toBeGreaterThan(120);
  });

  test.each([
    ['mp4', () => makeM4a(3)],
    ['adts', () => makeAdts(3)],
  ])(
    'is measured where nothing decodes it: AAC in %s, without a decoder on the machine',
    async (container, make) => {
      const file = await uploads.read(await make());
      expect(file).toMatchObject({
        container,
        codec: 'aac',
        decoded: false,
        sampleRate: 44_100,
        channels: 1,
      });
      expect(file.duration).toBeCloseTo(3, 1);
    },
  );

  test.each([
    [8, 1, 8000],
    [16, 2, 44_100],
    [24, 1, 48_000],
    [32, 2, 96_000],
  ])('is read as wav with %i bits, %i channels and %i Hz', async (bitsPerSample, channels, sampleRate) => {
    const file = writeWav(voiceLike(1.5, 120, 4, sampleRate), { bitsPerSample, channels, sampleRate });
    expect(await uploads.read(file)).toMatchObject({ channels, sampleRate, duration: 1.5, voice: [{}] });
  });

  test('is counted, whatever its header says of its length', async () => {
    for (const dataBytes of [0x7fff_f000, 0xffff_ffff, 40_000_000]) {
      const file = writeWav(tone(2, 220, 16_000), { sampleRate: 16_000, dataBytes });
      expect((await uploads.read(file)).duration).toBe(2);
    }
    const lying = Buffer.concat([xingFrame(1_000_000), await mp3()]);
    expect((await uploads.read(lying)).duration).toBeCloseTo(4, 0);
  });

  test('is decoded to its last sample, though the last frame of the flac file has only one', async () => {
    const samples = Int16Array.from({ length: 4096 * 8 + 1 }, (_, index) => index % 5000);
    expect((await uploads.read(makeFlac(samples))).duration * 16_000).toBe(samples.length);
  });

  test('is heard from its first whole frame and up to where it was cut', async () => {
    const whole = await mp3();
    for (const bytes of [1, 100, 1000, 5000]) {
      // 64 kbit/s are 8000 bytes a second.
      const { duration } = await uploads.read(whole.subarray(bytes));
      expect(duration).toBeGreaterThan(4 - bytes / 8000 - 0.1);
    }
    const ogg = await opus(4);
    for (const share of [0.5, 0.501, 0.75]) {
      const { duration } = await uploads.read(ogg.subarray(0, Math.floor(ogg.length * share)));
      expect(Math.abs(duration - 4 * share)).toBeLessThan(0.25);
    }
  });
});

describe('a damaged file', () => {
  const flac = (): Uint8Array => makeFlac(voiceLike(3, 120, 4, 16_000));
  /** Changes a bit of the byte at a share of the file. */
  const flipped = (file: Uint8Array, share: number): Buffer => {
    const position = Math.floor(file.length * share);
    return Buffer.from(file.with(position, (file[position] ?? 0) ^ 1));
  };
  /** Leaves a page of Ogg out. */
  const withoutPage = (file: Uint8Array): Buffer => {
    const bytes = Buffer.from(file);
    const start = bytes.indexOf('OggS', bytes.length / 2);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(bytes.indexOf('OggS', start + 4))]);
  };
  test.each([
    ['a flac with one changed byte', '1.5 s', async () => flipped(flac(), 0.5)],
    ['a flac whose last frame has no head', '2.8 s', async () => flac().fill(0, 90_275, 90_285)],
    ['a flac that was cut', '1.3 s', async () => flac().subarray(0, 48_000)],
    ['an Ogg file with one changed byte', '1.9 s', async () => flipped(await opus(4), 0.5)],
    ['an Ogg file whose last page has a changed byte', '3.9 s', async () => flipped(await opus(4), 0.999)],
    ['an Ogg file without one of its pages', '2.0 s', async () => withoutPage(await opus(4))],
    ['a WebM file that was cut', '1.0 s', async () => (await makeWebm(await opus(4))).subarray(0, -9000)],
  ])('is refused with the place where it is damaged: %s', async (_, place, make) => {
    await expect(uploads.read(await make())).rejects.toThrow(`it is damaged or cut off after ${place}`);
  });
});

test.each([2, 17, 85, 255, 0])(
  'a wav file that is compressed is refused by its format tag: %i',
  async (tag) => {
    const file = Buffer.from(await wav());
    file.writeUInt16LE(tag, 20);
    await expect(uploads.read(file)).rejects.toThrow(`WAV format tag ${tag}`);
  },
);

describe('a file that makes its decoder stand still', () => {
  test.each([
    ['two thousand million samples in a chunk of m4a', () => endlessChunk()],
    ['five thousand segments inside each other in WebM', () => nestedSegments(5000)],
  ])('is ended, and the next one is read by another thread: %s', async (_, make) => {
    const impatient = createUploads({ outsideDecoder: null, patience: 3_000 });
    const stuck = impatient.read(await make());
    const next = impatient.read(await wav());
    await expect(stuck).rejects.toThrow('no progress');
    expect((await next).duration).toBe(2);
    await impatient.close();
  });

  // It waits for those ten seconds.
  test('is ended after ten seconds by default', async () => {
    const start = performance.now();
    await expect(uploads.read(await endlessChunk())).rejects.toThrow(UnreadableAudioError);
    expect(performance.now() - start).toBeGreaterThan(9_000);
  });
});

// It waits for an hour to be decoded, which takes longer than the patience.
test('an hour of sound is read for as long as it makes progress, and another file after it', async () => {
  const impatient = createUploads({ outsideDecoder: null, patience: 5_000 });
  const hour = impatient.read(writeWav(new Int16Array(3600 * 5000), { sampleRate: 5000 }));
  const short = impatient.read(await wav());
  expect((await hour).duration).toBe(3600);
  expect((await short).duration).toBe(2);
  await impatient.close();
});

test('a file that nobody waits for is left, and those behind it are read', async () => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const all = [uploads.read(await endlessChunk(), { signal }), uploads.read(await wav(), { signal })];
  const next = uploads.read(await wav());
  leaving.abort(new Error('gone'));
  for (const read of all) await expect(read).rejects.toThrow('gone');
  expect((await next).duration).toBe(2);
});

test.each([
  ['nothing', async () => new Uint8Array(0)],
  ['zeros', async () => new Uint8Array(50_000)],
  ['text', async () => new TextEncoder().encode('not audio at all '.repeat(300))],
  ['the head of a wav file', async () => (await wav()).subarray(0, 30)],
  ['512 bytes of flac', async () => makeFlac(tone(2)).subarray(0, 512)],
  ['an ID3 tag that never ends', async () => Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f')],
  ['an m4a file without its end', async () => (await makeM4a(2)).subarray(0, 300)],
])('is refused: %s', async (_, make) => {
  await expect(uploads.read(await make())).rejects.toThrow(UnreadableAudioError);
});

test('a damaged file is read or refused, and the next one is read', async () => {
  const ogg = await opus(1);
  const valid = [
    await encode(tone(1)),
    await mp3(),
    ogg,
    await makeWebm(ogg),
    makeFlac(tone(1)),
    await makeM4a(1),
  ];
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const change = fc.record({ place, bytes: fc.uint8Array({ maxLength: 40 }), removed: fc.nat(2000) });
  const damaged = fc.record({
    file: fc.constantFrom(...valid),
    changes: fc.array(change, { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(damaged, async ({ file, changes }) => {
      let bytes = Buffer.from(file);
      for (const { place, bytes: bits, removed } of changes) {
        // Half of the changes are in the head, where most goes wrong.
        const start = Math.floor(place < 0.5 ? place * 400 : place * bytes.length);
        bytes = Buffer.concat([bytes.subarray(0, start), bits, bytes.subarray(start + removed)]);
      }
      const read: ReadFile | UnreadableAudioError = await uploads.read(bytes).catch((error) => error);
      if (!(read instanceof UnreadableAudioError)) expect(read.duration).toBeGreaterThan(0);
    }),
    { numRuns: 150 },
  );
  expect((await uploads.read(await wav())).duration).toBe(2);
}, 120_000);

/** An m4a file whose tables say that a chunk has two thousand million samples. */
async function endlessChunk(): Promise<Buffer> {
  const file = Buffer.from(await makeM4a(1.2));
  file.writeUInt32BE(0x7fff_ffff, file.indexOf('stsc') + 16);
  return file;
}

/** A WebM file of nothing but the starts of segments without a known length. */
async function nestedSegments(count: number): Promise<Buffer> {
  const file = Buffer.from(await makeWebm(await encode(tone(1), { format: 'opus', sampleRate: 48_000 })));
  const segment = Buffer.from('1853806701ffffffffffffff', 'hex');
  const head = file.subarray(0, file.indexOf(segment.subarray(0, 4)));
  return Buffer.concat([head, ...Array.from({ length: count }, () => segment)]);
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

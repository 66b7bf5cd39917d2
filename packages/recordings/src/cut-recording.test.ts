import { Readable } from 'node:stream';
import { ascii, createMp3FrameWalker, joinBytes, viewOf } from '@speech-api/audio';
import { MPEGDecoder } from 'mpg123-decoder';
import { beforeAll, expect, test } from 'vitest';
import { planRecording, RecordingError, type RecordingSource } from './index.ts';
import {
  adtsFile,
  cutAll,
  inPieces,
  m4aFile,
  mkvFile,
  mp3File,
  noise,
  opusFile,
  vorbisFile,
  wavFile,
  webmFile,
} from './testing/files.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const rate = 16_000;
const options = { maximumSeconds: 5 };
const wav = wavFile(noise(rate * 13), rate);
const names = ['wav', 'mp3', 'Opus', 'Vorbis', 'adts', 'm4a', 'webm'] as const;
let files: Readonly<Record<(typeof names)[number], { readonly bytes: Bytes; readonly seconds: number }>>;
let mp3: Bytes;
beforeAll(async () => {
  mp3 = await mp3File(noise(44_100 * 3));
  const aacSeconds = 300 * (1024 / 44_100);
  files = {
    wav: { bytes: wav, seconds: 13 },
    mp3: { bytes: mp3, seconds: 3.03 },
    Opus: { bytes: await opusFile(noise(48_000 * 6)), seconds: 6 },
    Vorbis: { bytes: await vorbisFile(noise(44_100 * 6)), seconds: 6 },
    adts: { bytes: adtsFile(300), seconds: aacSeconds },
    m4a: { bytes: await m4aFile(300), seconds: aacSeconds },
    webm: { bytes: await webmFile(350), seconds: 7 - 0.0065 },
  };
});

/** The same bytes as a file, which is read at any place, and as a stream, which is read once. */
const sourcesOf = (bytes: Bytes, size = 1000): RecordingSource[] => [
  new Blob([bytes]),
  inPieces(bytes, size),
];

async function expectEnds(bytes: Bytes, seconds: number, digits = 0, acceptTruncated = false): Promise<void> {
  for (const source of sourcesOf(bytes)) {
    const parts = await cutAll(source, { ...options, acceptTruncated });
    expect(parts.at(-1)?.end).toBeCloseTo(seconds, digits);
  }
}

test.each(names)('a file of %s is cut into the same parts, whatever pieces it arrives in', async (name) => {
  const { bytes, seconds } = files[name];
  const expected = await cutAll(new Blob([bytes]), options);
  expect(expected.length).toBeGreaterThanOrEqual(Math.ceil(seconds / 5));
  expect(expected.at(-1)?.end).toBeCloseTo(seconds, 1);
  for (const size of [name === 'mp3' || name === 'Opus' ? 1 : 997, 65_536])
    expect(await cutAll(inPieces(bytes, size), options)).toEqual(expected);
  expect(await cutAll(Readable.from(inPieces(bytes, 4096)), options)).toEqual(expected);
});

test.each(names)('a file of %s that breaks off anywhere is refused unless that is accepted', async (name) => {
  const { bytes: whole } = files[name];
  for (let step = 1; step < 16; step++) {
    const bytes = whole.slice(0, Math.floor((whole.length * step) / 16) + 5);
    for (const source of sourcesOf(bytes, 4096))
      await expect(cutAll(source, options), `${bytes.length} bytes`).rejects.toThrow(RecordingError);
  }
  const bytes = whole.slice(0, Math.floor(whole.length * 0.7) + 5);
  for (const source of sourcesOf(bytes))
    await expect(cutAll(source)).rejects.toThrow(/breaks off after \d\.\d s.*acceptTruncated/);
  const parts = await cutAll(new Blob([bytes]), { acceptTruncated: true });
  expect(parts.at(-1)?.end).toBeGreaterThan(1.5);
});

/** A wav file of 12 s with other sizes in its header, and more bytes at its end. */
function wavWith(riffBytes: number | undefined, dataBytes: number, ...tail: Uint8Array[]): Bytes {
  const bytes = joinBytes([wavFile(noise(rate * 12), rate), ...tail]);
  if (riffBytes !== undefined) viewOf(bytes).setUint32(4, riffBytes, true);
  viewOf(bytes).setUint32(40, dataBytes, true);
  return bytes;
}

function chunk(name: string, bytes: number): Uint8Array {
  const header = joinBytes([ascii(name), new Uint8Array(4)]);
  viewOf(header).setUint32(4, bytes, true);
  return joinBytes([header, new Uint8Array(bytes + (bytes & 1)).fill(7)]);
}

const all = 24 * rate;
test.each<[string, Bytes]>([
  ['the size that SoX puts into a pipe', wavWith(0x7fff_f024, 0x7fff_f000)],
  ['sizes of the first 4 s only', wavWith(8 * rate + 36, 8 * rate)],
  // The header states the size of 4 GiB and 12 s modulo 2^32; the file has the last 12 s.
  ['a RIFF size that wrapped', wavWith(3, all)],
  ['chunks after its samples', wavWith(undefined, all, chunk('LIST', 26), chunk('id3 ', 1001))],
  ['chunks after an odd number of bytes', wavWith(undefined, all - 1)],
  ['a tag that is no chunk', wavWith(undefined, all, new Uint8Array(128).fill(0x20))],
])('a wav file with %s loses no sound', async (_name, bytes) => {
  await expectEnds(bytes, 12, 1);
});

test('samples that look like a chunk behind the declared ones are sound, or refused where that cannot be known', async () => {
  const bytes = wavWith(4 * 2 * rate + 36, 4 * 2 * rate);
  bytes.set(ascii('loud\0\0\x7f\x01'), 44 + 4 * 2 * rate);
  expect((await cutAll(new Blob([bytes]))).at(-1)?.end).toBeCloseTo(12, 1);
  await expect(cutAll(inPieces(bytes, 1000))).rejects.toThrow(/breaks off after 4\.0 s/);
});

test('a wav file that is shorter than its header says is refused before its first part, where its size is known', async () => {
  const whole = wavFile(noise(rate * 20), rate);
  const bytes = new Blob([whole.slice(0, whole.length - 10_000)]);
  await expect(cutAll(bytes, options)).rejects.toThrow(/^This recording, wav .*off after 19\.7 s/);
  const parts = await cutAll(bytes, { ...options, acceptTruncated: true });
  expect(parts.at(-1)?.end).toBeCloseTo(19.7, 1);
});

test('an mp3 file whose sample rate changes keeps the times of what follows', async () => {
  const slow = await mp3File(noise(22_050 * 4), 22_050);
  await expectEnds(joinBytes([mp3, slow, mp3]), 10.2);
});

test('an mp3 file that ends inside a frame is damaged, one that begins inside a frame is read', async () => {
  const short = mp3.slice(0, mp3.length - 70);
  for (const source of sourcesOf(short))
    await expect(cutAll(source)).rejects.toThrow(/breaks off after [23]\.\d s/);
  await expectEnds(short, 3, 0, true);
  await expectEnds(mp3.slice(70), 3);
});

test('an mp3 file that is shorter than its information frame says is refused before its first part', async () => {
  // A frame of 64 kbps, mono, 44.1 kHz, that announces 1000 frames.
  const frame = new Uint8Array(208);
  frame.set([0xff, 0xfb, 0x50, 0xc0]);
  frame.set(ascii('Info'), 21);
  const view = viewOf(frame);
  for (const [index, value] of [3, 1000, 208_000].entries()) view.setUint32(25 + 4 * index, value);
  const cut = cutAll(new Blob([frame, await mp3File(noise(44_100 * 12))]), options);
  await expect(cut).rejects.toThrow(
    /^This recording, mp3 \([12] channels?, \d+ Hz\), breaks off after 12\.\d s/,
  );
});

test('a tag before any container is skipped', async () => {
  const tag = joinBytes([ascii('ID3'), Uint8Array.of(4, 0, 0, 0, 0, 39, 8), new Uint8Array(5000)]);
  await expectEnds(joinBytes([tag, adtsFile(200)]), 4.6);
  await expectEnds(joinBytes([tag, mp3]), 3);
  await expectEnds(joinBytes([tag, wavFile(noise(rate * 3), rate)]), 3);
});

test('every call takes the same sources', async () => {
  const bytes = wavFile(noise(rate * 2), rate);
  const sources: (() => RecordingSource)[] = [
    () => bytes,
    () => bytes.buffer,
    () => new Blob([bytes]),
    () => new Response(bytes),
    () => new Blob([bytes]).stream(),
    () => [bytes],
    () => ({
      size: bytes.length,
      read: async (start, end) => bytes.subarray(start, end),
      async *[Symbol.asyncIterator]() {
        yield bytes;
      },
    }),
  ];
  for (const open of sources) {
    expect((await cutAll(open())).map(({ end }) => end)).toEqual([2]);
    expect((await planRecording(open())).seconds).toBe(2);
  }
});

test('a part keeps within the limit, however small its frames are', async () => {
  const parts = await cutAll(new Blob([await m4aFile(40_000)]), { maximumBytes: 100_000 });
  expect(parts.length).toBeGreaterThan(3);
  for (const { bytes } of parts) expect(bytes.length).toBeLessThanOrEqual(100_000);
});

test('a short link of a chain is filled up with silence, and its times are its own', async () => {
  const [long, short] = [await opusFile(noise(48_000 * 3)), await opusFile(noise(24_000))];
  const parts = await cutAll([joinBytes([long, short, long])]);
  const lengths = parts.map(({ start, end = 0 }) => Number((end - start).toFixed(2)));
  expect(lengths).toEqual([3, 0.5, 3]);
  for (const [index, { start }] of parts.slice(1).entries())
    expect(start).toBeCloseTo(parts[index]?.end ?? 0);
});

test('a last part that would be too short begins earlier, and counts from its own start', async () => {
  const sound = noise(rate * 10.3);
  sound.fill(0, rate * 9.3, rate * 9.9);
  const [first, last, ...others] = await cutAll([wavFile(sound, rate)], { maximumSeconds: 10 });
  expect(others).toEqual([]);
  expect(first?.end).toBeCloseTo(9.6, 1);
  expect(last).toMatchObject({ start: first?.end, overlap: 0 });
  expect(last?.end).toBeCloseTo(10.3, 3);
  const seconds = ((last?.bytes.length ?? 0) - 44) / 32_000;
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect((last?.offset ?? 0) + seconds).toBeCloseTo(10.3, 3);
});

test('a decoder gives every sample of an mp3 part, whose frames may lean on those before the cut', async () => {
  // Easy stretches fill the bit reservoir and hard ones empty it.
  const sound = noise(44_100 * 20).map((value, index) => (index % 9000 < 6000 ? value / 500 : value));
  const file = await mp3File(sound);
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  const framesOf = (bytes: Uint8Array) => {
    const walker = createMp3FrameWalker();
    return [...walker.push(bytes), ...walker.end()];
  };
  // Nine bits after the header of a mono frame: the number of bytes before the frame at which its data begins.
  const reachOf = (frame: Uint8Array): number => ((frame[4] ?? 0) << 1) | ((frame[5] ?? 0) >> 7);
  expect(framesOf(file).filter(({ bytes }) => reachOf(bytes) > 0).length).toBeGreaterThan(100);
  const parts = await cutAll([file], options);
  expect(parts.length).toBeGreaterThan(3);
  for (const { bytes } of parts) {
    await decoder.reset();
    const { samplesDecoded, errors } = decoder.decode(bytes);
    expect(errors).toEqual([]);
    const frames = framesOf(bytes);
    expect(samplesDecoded).toBe(frames.reduce((sum, { samples }) => sum + samples, 0));
    let before = 0;
    for (const frame of frames) {
      expect(reachOf(frame.bytes)).toBeLessThanOrEqual(before);
      before += frame.bytes.length - 21;
    }
  }
});

test.each<[string, () => Uint8Array, RegExp]>([
  ['nothing', () => new Uint8Array(0), /0 bytes/],
  ['zeros', () => new Uint8Array(2_000_000), /no wav, mp3, flac, Ogg, mp4/],
  [
    'a stream of flac above 32 MiB',
    () => joinBytes([ascii('fLaC'), new Uint8Array(2 ** 25)]),
    /up to 32 MiB.* a path/,
  ],
  ['less than a second', () => wavFile(noise(8000), 16_000), /0\.50 s long/],
  [
    'Ogg with a broken page',
    () => withBytes(files.Opus.bytes, files.Opus.bytes.length >> 1, 1, 2, 3),
    /pages are missing or broken/,
  ],
])('%s is refused in words', async (_name, build, message) => {
  const cut = cutAll(inPieces(build(), 4096), { ...options, maximumBytes: 50_000 });
  const error = await cut.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RecordingError);
  expect(String(error)).toMatch(message);
});

test.each([
  ['an amr file', joinBytes([ascii('#!AMR'), new Uint8Array(30_000)]), /amr.*ffmpeg/],
  ['a wav file of ADPCM', withBytes(wav, 20, 2), /codec 0x0002.*ffmpeg/],
])('%s is sent as it is while it is small, and refused when it is large', async (_name, bytes, message) => {
  const parts = await cutAll([bytes]);
  expect(parts).toMatchObject([{ bytes, offset: 0, start: 0, end: undefined }]);
  await expect(cutAll([bytes], { maximumBytes: 10_000 })).rejects.toThrow(message);
});

test('of several tracks the first that can be read is read, which is said', async () => {
  const file = new Blob([await mkvFile('pcm-s16be', 'pcm-s16')]);
  const [part] = await cutAll(file);
  expect([part?.end, part?.note]).toEqual([1, expect.stringContaining('2 tracks of sound, and number 2')]);
  const named = cutAll(file, { track: 1, maximumBytes: 10_000 });
  await expect(named).rejects.toThrow(/pcm-s16be in webm/);
});

test('a film without sound is refused, so that it is not paid for', async () => {
  const film = cutAll(new Blob([await mkvFile('vp8')]));
  await expect(film).rejects.toThrow(/webm file without a track of sound/);
});

test('a hole in the packets of a webm file is filled with silence, and later words keep their time', async () => {
  const bytes = await webmFile(350, (index) => index * 0.02 + (index < 100 ? 0 : 3));
  const parts = await cutAll(new Blob([bytes]));
  expect(parts.length).toBe(1);
  expect(parts[0]?.end).toBeCloseTo(10 - 0.0065, 1);
  const far = await webmFile(2000, (index) => index * 0.02 + (index < 100 ? 0 : 80_000));
  const error = /webm file without sound from 2\.\d s to 80002\.\d s/;
  await expect(cutAll(new Blob([far]), { maximumBytes: 10_000 })).rejects.toThrow(error);
});

function withBytes(bytes: Uint8Array, position: number, ...values: readonly number[]): Bytes {
  const changed = bytes.slice();
  changed.set(values, position);
  return changed;
}

import { createMp3FrameWalker } from '@speech-api/audio';
import { MPEGDecoder } from 'mpg123-decoder';
import { beforeAll, expect, test } from 'vitest';
import { cutRecording, RecordingError, type RecordingPart } from './index.ts';
import { adtsFile, mp3File, noise, opusFile, wavFile } from './testing/files.ts';

let mp3: Uint8Array<ArrayBuffer>;
let opus: Uint8Array<ArrayBuffer>;
const wav = wavFile(noise(16_000 * 3), 16_000);

beforeAll(async () => {
  mp3 = await mp3File(noise(44_100 * 3));
  opus = await opusFile(noise(48_000 * 3));
});

async function cut(bytes: Uint8Array, pieceBytes = 4096): Promise<RecordingPart[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const parts: RecordingPart[] = [];
  for await (const part of cutRecording(pieces, { maximumSeconds: 5 })) parts.push(part);
  return parts;
}

test('a file that is cut at any byte gives parts, or an error that says what is wrong', async () => {
  for (const whole of [wav, mp3, opus]) {
    for (let step = 1; step < 60; step++) {
      const bytes = whole.subarray(0, Math.floor((whole.length * step) / 60));
      const outcome = await cut(bytes).catch((error: unknown) => error);
      if (Array.isArray(outcome)) expect(outcome.length).toBeGreaterThan(0);
      else expect(outcome).toBeInstanceOf(RecordingError);
    }
  }
});

test('a wav file and an Ogg file that break off are refused, and cut as far as they go when that is accepted', async () => {
  for (const whole of [wav, opus]) {
    const bytes = whole.subarray(0, Math.floor(whole.length * 0.7));
    await expect(cut(bytes)).rejects.toThrow(/breaks off after [12]\.\d s.*acceptTruncated/);
    const parts: RecordingPart[] = [];
    for await (const part of cutRecording([bytes], { acceptTruncated: true })) parts.push(part);
    expect(parts.at(-1)?.end).toBeGreaterThan(1.8);
  }
});

test('a wav file that is shorter than its header says is refused before its first part, where its size is known', async () => {
  const whole = wavFile(noise(16_000 * 20), 16_000);
  const bytes = whole.slice(0, whole.length - 10_000);
  for (const shrink of [false, true]) {
    const first = cutRecording(new Blob([bytes]), { maximumSeconds: 5, shrink }).next();
    await expect(first).rejects.toThrow(/^This recording \(wav .*breaks off after 19\.7 s/);
  }
  for (const [file, end] of [
    [bytes, 19.7],
    [whole, 20],
  ] as const) {
    let last: RecordingPart | undefined;
    const options = { maximumSeconds: 5, acceptTruncated: file === bytes };
    for await (const part of cutRecording(new Blob([file]), options)) last = part;
    expect(last?.end).toBeCloseTo(end, 1);
  }
});

test('any byte of a file changed gives parts or an error, and never runs on', async () => {
  for (const whole of [wav, mp3, opus, adtsFile(300)]) {
    for (let step = 0; step < 120; step++) {
      const bytes = whole.slice();
      // The first bytes hold the lengths.
      const position = step < 60 ? step : Math.floor((whole.length * (step - 60)) / 60);
      bytes[position] = (bytes[position] ?? 0) ^ 0xff;
      const outcome = await cut(bytes).catch((error: unknown) => error);
      if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(RecordingError);
    }
  }
});

test('a broken page of Ogg is an error, because the times after it would be wrong', async () => {
  const bytes = opus.slice();
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  await expect(cut(bytes)).rejects.toThrow(/pages are missing or broken after \d\.\d s/);
});

test.each([
  ['nothing', new Uint8Array(0), /0 bytes/],
  ['text', new TextEncoder().encode('Dear diary, today I recorded nothing.'), /No wav, mp3, flac, Ogg, mp4/],
  ['zeros', new Uint8Array(2_000_000), /no frame/],
  [
    'an ID3 tag without end',
    Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, 127, 127, 127, 127, 0, 0),
    /holds no audio/,
  ],
  ['a wav file without samples', wavFile(new Float32Array(0), 16_000), /no audio frame/],
  ['a wav file of no channels', withByte(wav, 22, 0), /0 channels/],
  ['a flac file of frames that never begin', flacOfNothing(), /no frame begins/],
  ['less than a second', wavFile(noise(8000), 16_000), /0\.50 s long/],
])('%s is refused in words', async (_name, bytes, message) => {
  const error = await cut(bytes).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RecordingError);
  expect(String(error)).toMatch(message);
});

test.each([
  ['an amr file', withText(new Uint8Array(30_000), 0, '#!AMR'), /amr.*ffmpeg/],
  ['a wav file of ADPCM', withByte(wav, 20, 2), /codec 0x0002.*ffmpeg/],
])(
  '%s is sent as it is while it is small, and refused in words when it is large',
  async (_name, bytes, message) => {
    const [whole, ...others] = await cut(bytes);
    expect(others).toEqual([]);
    expect(whole).toMatchObject({ bytes, offset: 0, start: 0, end: undefined });
    const refused = cutRecording([bytes], { maximumBytes: 10_000 }).next();
    await expect(refused).rejects.toThrow(message);
  },
);

test('a chunk that says four gigabytes is not waited for', async () => {
  const bytes = wav.slice();
  bytes.set(new TextEncoder().encode('LIST'), 12);
  bytes.set([0xff, 0xff, 0xff, 0x7f], 16);
  await expect(cut(bytes)).rejects.toThrow(/chunk of 2147483647 bytes/);
});

test('a short link of a chain is filled up with silence, and its times are its own', async () => {
  const short = await opusFile(noise(24_000));
  const parts = await cut(new Uint8Array([...opus, ...short, ...opus]));
  expect(parts.length).toBe(3);
  const [first, second, third] = parts;
  expect(second?.start).toBeCloseTo(first?.end ?? 0, 6);
  expect((second?.end ?? 0) - (second?.start ?? 0)).toBeCloseTo(0.5, 2);
  expect(third?.start).toBeCloseTo(second?.end ?? 0, 6);
});

test('a last part that would be too short begins earlier, and counts from its own start', async () => {
  const sound = noise(16_000 * 10.3);
  sound.fill(0, 16_000 * 9.3, 16_000 * 9.9);
  const parts: RecordingPart[] = [];
  for await (const part of cutRecording([wavFile(sound, 16_000)], { maximumSeconds: 10 })) parts.push(part);
  const [first, last] = parts;
  expect(parts.length).toBe(2);
  expect(first?.end).toBeCloseTo(9.6, 1);
  expect(last?.start).toBe(first?.end);
  expect(last?.overlap).toBe(0);
  expect(last?.end).toBeCloseTo(10.3, 3);
  const seconds = ((last?.bytes.length ?? 0) - 44) / 32_000;
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect((last?.offset ?? 0) + seconds).toBeCloseTo(10.3, 3);
});

test('a decoder gives every sample of an mp3 part, whose frames may lean on those before the cut', async () => {
  // Easy stretches fill the reservoir and hard ones empty it.
  const sound = noise(44_100 * 20).map((value, index) => (index % 9000 < 6000 ? value / 500 : value));
  const file = await mp3File(sound);
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  const framesOf = (bytes: Uint8Array) => {
    const walker = createMp3FrameWalker();
    return [...walker.push(bytes), ...walker.end()];
  };
  // Nine bits behind the header of a mono frame: how many bytes before the frame its data begins.
  const reachOf = (frame: Uint8Array): number => ((frame[4] ?? 0) << 1) | ((frame[5] ?? 0) >> 7);
  expect(framesOf(file).filter(({ bytes }) => reachOf(bytes) > 0).length).toBeGreaterThan(100);
  const parts = await cut(file);
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

test('parts do not depend on the pieces that the file arrives in', async () => {
  const long = wavFile(noise(16_000 * 13), 16_000);
  for (const [bytes, sizes] of [
    [long, [7001, 65_536]],
    [mp3, [1, 1000]],
    [opus, [1, 1000]],
  ] as const) {
    const expected = await cut(bytes, bytes.length);
    for (const size of sizes) expect(await cut(bytes, size)).toEqual(expected);
  }
});

function withText(bytes: Uint8Array, position: number, text: string): Uint8Array {
  bytes.set(new TextEncoder().encode(text), position);
  return bytes;
}

function withByte(bytes: Uint8Array, position: number, value: number): Uint8Array {
  const changed = bytes.slice();
  changed[position] = value;
  return changed;
}

function flacOfNothing(): Uint8Array {
  const bytes = new Uint8Array(300_000).fill(0x55);
  bytes.set(new TextEncoder().encode('fLaC'));
  bytes.set([0x80, 0, 0, 34], 4);
  return bytes;
}

import { Readable } from 'node:stream';
import { cutInWorker } from '@speech-api/recordings/node';
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Output, WebMOutputFormat } from 'mediabunny';
import { beforeAll, expect, test } from 'vitest';
import { ascii, join, viewOf } from './bytes.ts';
import { writeM4a } from './formats/m4a.ts';
import { cutRecording, RecordingError, type RecordingPart } from './index.ts';
import { adtsFile, silentAac } from './testing/files.ts';

const configuration = Uint8Array.of(0x12, 0x08);
const m4a = join(
  writeM4a(
    { configuration, sampleRate: 44_100, channels: 1, frameSamples: 1024 },
    Array.from({ length: 300 }, () => ({ bytes: silentAac, samples: 1024 })),
  ),
);
const adts = adtsFile(300);
let webm: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  webm = await webmFile(350, (index) => index * 0.02);
});

const tooBusy = 180_000;

async function collect(parts: AsyncIterable<RecordingPart>): Promise<RecordingPart[]> {
  const collected: RecordingPart[] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

const options = { maximumSeconds: 5 };
/** As a file, which is read at any place, and as a stream, which is read once. */
const ways: readonly ((bytes: Uint8Array<ArrayBuffer>) => Promise<RecordingPart[]>)[] = [
  (bytes) => collect(cutRecording(new Blob([bytes]), options)),
  (bytes) => collect(cutRecording([bytes.subarray(0, 1000), bytes.subarray(1000)], options)),
];

test('a stream of Node is read from its start to its end, whatever methods it has', async () => {
  for (const bytes of [m4a, webm]) {
    const expected = await collect(cutRecording(new Blob([bytes]), options));
    expect(await collect(cutRecording(Readable.from([bytes]), options))).toEqual(expected);
  }
  // Where there is an ffmpeg, a worker finds pauses in AAC.
  const expected = await collect(cutRecording(new Blob([webm]), options));
  expect(await collect(cutInWorker()(Readable.from([webm]), options))).toEqual(expected);
});

test('a part keeps within the limit, however small its frames are', async () => {
  const format = { configuration, sampleRate: 44_100, channels: 1, frameSamples: 1024 };
  const frames = Array.from({ length: 40_000 }, () => ({ bytes: silentAac, samples: 1024 }));
  const parts = await collect(
    cutRecording(new Blob([join(writeM4a(format, frames))]), { maximumBytes: 100_000 }),
  );
  expect(parts.length).toBeGreaterThan(3);
  for (const { bytes } of parts) expect(bytes.length).toBeLessThanOrEqual(100_000);
});

test('m4a, webm and adts are cut as files and as streams, into the same parts', async () => {
  for (const [bytes, seconds] of [
    [m4a, 300 * (1024 / 44_100)],
    [adts, 300 * (1024 / 44_100)],
    [webm, 7 - 0.0065],
  ] as const) {
    const [asFile, asStream] = await Promise.all(ways.map((cut) => cut(bytes)));
    expect(asFile).toEqual(asStream);
    expect(asFile?.length).toBe(2);
    expect(asFile?.at(-1)?.end).toBeCloseTo(seconds, 6);
  }
});

test(
  'a file that is cut at any byte gives parts, or an error that says what is wrong',
  async () => {
    for (const whole of [m4a, webm, adts]) {
      for (let step = 1; step < 60; step++) {
        const bytes = whole.slice(0, Math.floor((whole.length * step) / 60));
        for (const cut of ways) {
          const outcome = await cut(bytes).catch((error: unknown) => error);
          if (Array.isArray(outcome)) expect(outcome.length).toBeGreaterThan(0);
          else expect(outcome).toBeInstanceOf(RecordingError);
        }
      }
    }
  },
  tooBusy,
);

test('a file that breaks off is refused, and cut as far as it goes when that is accepted', async () => {
  for (const whole of [m4a, webm, adts]) {
    const bytes = new Blob([whole.slice(0, Math.floor(whole.length * 0.7) + 5)]);
    await expect(collect(cutRecording(bytes))).rejects.toThrow(/breaks off after \d\.\d s.*acceptTruncated/);
    const parts = await collect(cutRecording(bytes, { acceptTruncated: true }));
    expect(parts.at(-1)?.end).toBeGreaterThan(1);
  }
});

test.each([
  ['boxes within boxes, 20 000 deep', join([ftyp(), nested(20_000)])],
  ['a box without length', join([ftyp(), new Uint8Array(4000)])],
  [
    'a box of 2 to the power of 63 bytes',
    join([ftyp(), words(1), ascii('moov'), words(0x7fff_ffff, 0xffff_ffff)]),
  ],
  ['a table that says four thousand million frames of one byte', withWord(m4a, 'stsz', 4, 1, 0xffff_ffff)],
  ['a table that says four thousand million frames', withWord(m4a, 'stsz', 8, 0xffff_ffff)],
  ['times for four thousand million frames', withWord(m4a, 'stts', 8, 0xffff_ffff)],
  ['frames of no length', withWord(m4a, 'stts', 12, 0)],
  ['frames of 27 hours', withWord(m4a, 'stts', 12, 0xffff_ffff)],
  ['no frames', withWord(m4a, 'stsz', 8, 0)],
  ['chunks that begin behind the end', withWord(m4a, 'stco', 8, 0xffff_0000)],
  ['a clock of no ticks', withWord(m4a, 'mdhd', 12, 0)],
  ['chunks of four thousand million frames', withWord(m4a, 'stsc', 12, 0xffff_ffff)],
])(
  'an mp4 file of %s ends within the deadline, and harms no other work',
  async (_name, bytes) => {
    const deadline = 10_000;
    const [outcome, other] = await Promise.all([
      collect(cutInWorker({ deadline })(new Blob([bytes]))).catch((error: unknown) => error),
      collect(cutInWorker()(new Blob([adts]))),
    ]);
    expect(other.length).toBe(1);
    if (Array.isArray(outcome)) expect(outcome.length).toBe(1);
    else {
      expect(RecordingError.isInstance(outcome)).toBe(true);
      expect(String(outcome)).toMatch(/mp4|m4a|1 s or more|no progress/);
    }
  },
  tooBusy,
);

test('a hole in the packets of a webm file is filled with silence, and later words keep their time', async () => {
  const bytes = await webmFile(350, (index) => index * 0.02 + (index < 100 ? 0 : 3));
  const parts = await collect(cutRecording(new Blob([bytes]), { maximumSeconds: 60 }));
  expect(parts.length).toBe(1);
  expect(parts[0]?.end).toBeCloseTo(10 - 0.0065, 1);
  const far = await webmFile(350, (index) => index * 0.02 + (index < 100 ? 0 : 80_000));
  await expect(collect(cutRecording(new Blob([far]), { maximumBytes: 10_000 }))).rejects.toThrow(
    /webm file has no sound from 2\.\d s to 80002\.\d s/,
  );
});

async function webmFile(count: number, timeOf: (index: number) => number): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  const description = join([ascii('OpusHead'), Uint8Array.of(1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0)]);
  const decoderConfig = { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, description };
  for (let index = 0; index < count; index++) {
    const packet = new EncodedPacket(Uint8Array.of(0xf8, 0xff, 0xfe), 'key', timeOf(index), 0.02);
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

function ftyp(): Uint8Array {
  return join([words(20), ascii('ftypM4A '), words(0), ascii('M4A ')]);
}

function nested(depth: number): Uint8Array {
  const boxes = Array.from({ length: depth }, (_, index) =>
    join([words(8 * (depth - index)), ascii(index === 0 ? 'moov' : 'trak')]),
  );
  return join(boxes);
}

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  for (const [index, value] of values.entries()) viewOf(bytes).setUint32(4 * index, value);
  return bytes;
}

/** The file with other numbers in a box, from so many bytes behind its name. */
function withWord(
  whole: Uint8Array,
  box: string,
  behind: number,
  ...values: readonly number[]
): Uint8Array<ArrayBuffer> {
  const bytes = whole.slice();
  const position = new TextDecoder('latin1').decode(bytes).indexOf(box) + 4 + behind;
  bytes.set(words(...values), position);
  return bytes;
}

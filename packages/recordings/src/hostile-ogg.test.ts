import { createOggPageWalker } from '@speech-api/audio';
import { beforeAll, expect, test } from 'vitest';
import { createOggEncoder } from 'wasm-media-encoders';
import { ascii, join, viewOf } from './bytes.ts';
import { cutRecording, RecordingError, type RecordingPart } from './index.ts';
import { noise, page } from './testing/files.ts';

const seconds = 6;
let vorbis: Uint8Array<ArrayBuffer>;
/** The three headers, then the sound. */
let packets: Uint8Array[];

beforeAll(async () => {
  const encoder = await createOggEncoder();
  encoder.configure({ sampleRate: 44_100, channels: 1, vbrQuality: 1 });
  const sound = noise(44_100 * seconds);
  const body = encoder.encode([sound]).slice();
  vorbis = join([body, encoder.finalize().slice()]);
  packets = [];
  let begun: Uint8Array[] = [];
  for (const { packets: parts } of createOggPageWalker().push(vorbis)) {
    for (const { bytes, isComplete } of parts) {
      begun.push(bytes);
      if (!isComplete) continue;
      packets.push(join(begun));
      begun = [];
    }
  }
});

async function cut(bytes: Uint8Array, options = {}): Promise<RecordingPart[]> {
  const parts: RecordingPart[] = [];
  const pieces = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, index) =>
    bytes.subarray(index * 4096, (index + 1) * 4096),
  );
  for await (const part of cutRecording(pieces, { maximumSeconds: 5, ...options })) parts.push(part);
  return parts;
}

/** A file of these packets, each on a page of its own. */
function fileOf(
  [head = new Uint8Array(0), ...others]: readonly Uint8Array[],
  granule: (index: number) => number = () => -1,
): Uint8Array<ArrayBuffer> {
  return join([
    page([head], 0, 0, 2),
    ...others.map((packet, index) => page([packet], granule(index), index + 1, 0)),
  ]);
}

function withByte(bytes: Uint8Array, position: number, value: number): Uint8Array {
  const changed = bytes.slice();
  changed[position] = value;
  return changed;
}

test('Vorbis of three packets a page and of one gives the same sound', async () => {
  const parts = await cut(vorbis);
  expect(parts.length).toBe(2);
  expect(parts.at(-1)?.end).toBeCloseTo(seconds, 1);
  const again = await cut(fileOf(packets));
  expect(again.map(({ bytes }) => bytes)).toEqual(parts.map(({ bytes }) => bytes));
});

test('a Vorbis file that is cut anywhere gives parts, or an error that says what is wrong', async () => {
  for (let step = 1; step < 60; step++) {
    const outcome = await cut(vorbis.subarray(0, Math.floor((vorbis.length * step) / 60))).catch(
      (error: unknown) => error,
    );
    if (Array.isArray(outcome)) expect(outcome.length).toBeGreaterThan(0);
    else expect(outcome).toBeInstanceOf(RecordingError);
  }
  await expect(cut(vorbis.subarray(0, vorbis.length - 100))).rejects.toThrow(/breaks off after [56]\.\d s/);
});

test('any byte of a Vorbis file changed gives parts or an error, and never runs on', async () => {
  for (let step = 0; step < 120; step++) {
    const position = step < 60 ? step : Math.floor((vorbis.length * (step - 60)) / 60);
    const outcome = await cut(withByte(vorbis, position, (vorbis[position] ?? 0) ^ 0xff)).catch(
      (error: unknown) => error,
    );
    if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(RecordingError);
  }
});

test.each<[string, () => Uint8Array, RegExp]>([
  [
    'no channel',
    () => fileOf([withByte(packets[0] as Uint8Array, 11, 0), ...packets.slice(1)]),
    /0 channels/,
  ],
  [
    'a rate of 4 GHz',
    () => {
      const head = (packets[0] as Uint8Array).slice();
      viewOf(head).setUint32(12, 0xffff_ffff, true);
      return fileOf([head, ...packets.slice(1)]);
    },
    /4294967295 Hz/,
  ],
  [
    'blocks of one sample',
    () => fileOf([withByte(packets[0] as Uint8Array, 28, 0), ...packets.slice(1)]),
    /head of its Vorbis/,
  ],
  [
    'a setup of nothing',
    () => fileOf([...packets.slice(0, 2), join([ascii('\u0005vorbis'), new Uint8Array(500)])]),
    /modes of its Vorbis|no packet of audio/,
  ],
  [
    'a setup without end',
    () =>
      join([
        page([packets[0] as Uint8Array], 0, 0, 2),
        page([packets[1] as Uint8Array], 0, 1, 0),
        ...Array.from({ length: 40 }, (_, index) => endless(index + 2)),
      ]),
    /longer than any/,
  ],
  ['headers alone', () => fileOf(packets.slice(0, 3)), /no packet of audio/],
  [
    'headers again in place of sound',
    () => fileOf([...packets.slice(0, 3), ...packets.slice(0, 3)]),
    /a length that no packet has/,
  ],
  [
    'positions that fit nothing',
    () => fileOf(packets, (index) => (index > 5 ? 2 ** 40 * (index % 2) : -1)),
    /positions do not fit/,
  ],
  [
    'first pages without end',
    () => join(Array.from({ length: 3000 }, () => page([packets[0] as Uint8Array], 0, 0, 2))),
    /several streams at once/,
  ],
])('Vorbis of %s is refused in words', async (_name, build, message) => {
  const error = await cut(build(), { maximumBytes: 50_000 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RecordingError);
  expect(String(error)).toMatch(message);
});

test('a million empty packets cost nothing, and the words after them keep their time', async () => {
  const empty = Array.from({ length: 255 }, () => new Uint8Array(0));
  const pages = Array.from({ length: 4000 }, (_, index) => page(empty, -1, index + 4, 0));
  const sound = packets.slice(4);
  const bytes = join([
    fileOf(packets.slice(0, 4)),
    ...pages,
    ...sound.map((packet, index) => page([packet], -1, index + 4004, 0)),
  ]);
  const parts = await cut(bytes);
  const expected = await cut(vorbis);
  expect(parts.map(({ bytes: part }) => part)).toEqual(expected.map(({ bytes: part }) => part));
});

test('what looks like pages and is none is given up, in the middle and behind the end', async () => {
  const fake = new Uint8Array(300).fill(0);
  fake.set(ascii('OggS'));
  fake[26] = 255;
  const fakes = join(Array.from({ length: 4000 }, () => fake));
  const middle = fileOf(packets.slice(0, 40));
  await expect(cut(join([middle, fakes]))).rejects.toThrow(/after \d\.\d s, \d+ bytes belong to no page/);
  await expect(cut(join([vorbis, fakes]))).rejects.toThrow(/after \d\.\d s, \d+ bytes belong to no page/);
  // A tag behind the end does not matter.
  expect((await cut(join([vorbis, new Uint8Array(10_000)]))).length).toBe(2);
});

/** A page full of a packet that goes on. */
function endless(sequence: number): Uint8Array {
  const bytes = page([new Uint8Array(254 * 255 + 254).fill(5)], -1, sequence, sequence === 2 ? 0 : 1);
  return bytes;
}

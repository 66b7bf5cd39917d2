import { describe, expect, test } from 'vitest';
import { ascii, joinBytes, viewOf } from './bytes.ts';
import {
  AudioFormatError,
  createWavReader,
  finishWav,
  readWavHeader,
  sampleReaderOf,
  wavSizeFixes,
  writeWavHeader,
} from './index.ts';
import { pcmTone, wavTone } from './testing/audio.ts';

function chunk(name: string, ...bytes: number[]): Uint8Array {
  const head = new Uint8Array(8);
  head.set(ascii(name));
  viewOf(head).setUint32(4, bytes.length, true);
  return joinBytes([head, Uint8Array.from(bytes), new Uint8Array(bytes.length % 2)]);
}

const pcmFormat = chunk('fmt ', 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0);

describe('wav header', () => {
  test('is the canonical 44 bytes, and is read back', () => {
    const header = writeWavHeader({ sampleRate: 44100, dataBytes: 4 });
    expect([...header].map((byte) => byte.toString(16).padStart(2, '0')).join('')).toBe(
      '524946462800000057415645666d74201000000001000100' + '44ac000088580100020010006461746104000000',
    );
    expect(readWavHeader(header)).toMatchObject({
      ...{ sampleRate: 44100, channels: 1, bitsPerSample: 16, encoding: 'integer', bytesPerFrame: 2 },
      ...{ dataOffset: 44, declaredDataBytes: 4 },
    });
  });

  test.each([0, 0x7ffff000, 0x7fffffff, 0xffffff00, 0xffffffdb, 0xffffffff])(
    'takes a data size of %i for a placeholder',
    (size) => {
      const header = writeWavHeader({ sampleRate: 8000 });
      viewOf(header).setUint32(40, size, true);
      expect(readWavHeader(header)?.declaredDataBytes).toBeUndefined();
    },
  );

  test('may hold other chunks before the samples and the extensible format', () => {
    const guid = [3, 0, 0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113];
    const format = chunk(
      'fmt ',
      ...[0xfe, 0xff, 2, 0, 0x80, 0xbb, 0, 0, 0, 0xdc, 5, 0, 8, 0, 32, 0, 22, 0, 32, 0, 3, 0, 0, 0],
      ...guid,
    );
    const file = joinBytes([ascii('RIFF\0\0\0\0WAVE'), chunk('LIST', 1, 2, 3), format, chunk('data', 9, 9)]);
    expect(readWavHeader(file)).toMatchObject({
      encoding: 'float',
      sampleRate: 48000,
      channels: 2,
      dataOffset: file.length - 2,
      declaredDataBytes: 2,
    });
  });

  test.each([
    ['another file', ascii('ID3\x04 and more')],
    ['another RIFF', ascii('RIFF\0\0\0\0AVI ')],
    ['samples without a format', joinBytes([ascii('RIFF\0\0\0\0WAVE'), chunk('data', 1, 2)])],
    ['an empty format', joinBytes([ascii('RIFF\0\0\0\0WAVE'), chunk('fmt ', 1, 0), chunk('data', 1, 2)])],
    [
      'no channels',
      joinBytes([ascii('RIFF\0\0\0\0WAVE'), chunk('fmt ', ...new Uint8Array(16)), chunk('data')]),
    ],
  ])('refuses %s', (_, bytes) => {
    expect(() => readWavHeader(bytes)).toThrow(AudioFormatError);
  });
});

describe('a finished wav file', () => {
  test('has a size corrected that promises more than came', () => {
    const file = joinBytes([writeWavHeader({ sampleRate: 8000, dataBytes: 5000 }), new Uint8Array(100)]);
    expect(readWavHeader(finishWav(file))?.declaredDataBytes).toBe(100);
  });

  test('is left alone when its sizes are true, chunks after the samples included', () => {
    const file = joinBytes([ascii('RIFF\0\0\0\0WAVE'), pcmFormat, chunk('data', 1, 2), chunk('LIST', 1, 2)]);
    const before = new Uint8Array(file);
    expect(finishWav(file)).toEqual(before);
  });

  test('can be fixed in place on a disk', () => {
    const file = wavTone(0.1, 8000);
    const header = readWavHeader(file.subarray(0, 44));
    if (header === undefined) throw new Error('no header');
    expect(wavSizeFixes(header, file.length).map(({ position, bytes }) => [position, ...bytes])).toEqual([
      [4, 0x64, 6, 0, 0],
      [40, 0x40, 6, 0, 0],
    ]);
    expect(wavSizeFixes(header, 5 * 1024 ** 3)).toEqual([]);
  });
});

describe('wav reader', () => {
  const samples = pcmTone(0.1, 8000);
  /** A file of these samples that declares a part of them. */
  const fileOf = (dataBytes: number, ...behind: Uint8Array[]): Uint8Array =>
    joinBytes([writeWavHeader({ sampleRate: 8000, dataBytes }), samples, ...behind]);
  const read = (file: Uint8Array): Uint8Array => createWavReader(file.length).push(file);

  test('leaves out chunks behind the samples', () => {
    expect(read(fileOf(samples.length, chunk('id3 ', 5), chunk('LIST', 1)))).toEqual(samples);
    expect(read(fileOf(samples.length - 1, chunk('LIST', 1)))).toHaveLength(samples.length - 1);
  });

  test('goes on behind the declared size where no chunk follows: the recorder crashed, or the size wrapped', () => {
    expect(read(fileOf(400))).toEqual(samples);
    expect(read(fileOf(0))).toEqual(samples);
    const silence = new Uint8Array(100);
    expect(read(fileOf(samples.length, silence))).toEqual(joinBytes([samples, silence]));
  });

  test('takes what does not fit into the file for sound, and where that is not known, says that bytes are missing', () => {
    const head = ascii('loud\0\0\x01\0');
    const file = fileOf(samples.length, head, samples);
    expect(read(file)).toEqual(joinBytes([samples, head, samples]));
    const reader = createWavReader();
    expect(reader.push(file)).toEqual(samples);
    expect(reader.missingBytes).toBe(0x1_0000 - samples.length);
    for (const piece of [1, 2, 3])
      expect(read(file.slice(0, 44 + samples.length + 8 + piece))).toHaveLength(samples.length + 8 + piece);
  });

  test('reads files beyond 4 GiB, whose true size is in a chunk of its own', () => {
    const file = fileOf(0xffff_ffff, chunk('LIST', 1)).subarray(12);
    const sizes = chunk('ds64', ...new Uint8Array(28));
    viewOf(sizes).setUint32(16, samples.length, true);
    const reader = createWavReader();
    expect(reader.push(joinBytes([ascii('RF64\0\0\0\0WAVE'), sizes, file]))).toEqual(samples);
    expect(reader.header?.declaredDataBytes).toBe(samples.length);
  });

  test('says how many declared bytes are missing', () => {
    const reader = createWavReader();
    reader.push(fileOf(5000));
    expect(reader.missingBytes).toBe(5000 - samples.length);
  });
});

// The values of the tables in ITU-T G.711, in 16 bits.
test.each([
  [1, 8, [0, 128, 255], [-32768, 0, 32512]],
  [7, 8, [0xff, 0x7f, 0x80, 0x00, 0xef], [0, 0, 32124, -32124, 132]],
  [6, 8, [0xd5, 0x55, 0xaa, 0x2a, 0xc5], [8, -8, 32256, -32256, 264]],
  [1, 16, [0, 0x80], [-32768]],
  [1, 24, [0, 0, 0x40], [16384]],
  [1, 32, [0, 0, 0, 0xc0], [-16384]],
  [3, 32, [0, 0, 0, 0x3f], [16384]],
  [3, 64, [0, 0, 0, 0, 0, 0, 0xe0, 0xbf], [-16384]],
])('samples of format %i and %i bits are read', (formatTag, bitsPerSample, bytes, expected) => {
  const header = readWavHeader(writeWavHeader({ sampleRate: 8000, bitsPerSample, formatTag }));
  const readSample = header && sampleReaderOf(header);
  const view = viewOf(Uint8Array.from(bytes));
  const positions = expected.map((_, index) => (index * bitsPerSample) / 8);
  expect(positions.map((position) => (readSample?.(view, position) ?? 0) * 32_768 + 0)).toEqual(expected);
});

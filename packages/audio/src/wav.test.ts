import { describe, expect, test } from 'vitest';
import { viewOf } from './bytes.ts';
import {
  AudioFormatError,
  createWavReader,
  finishWav,
  readWavHeader,
  wavSizeFixes,
  writeWavHeader,
} from './index.ts';
import { inPieces, join, pcmTone, wavTone } from './testing/audio.ts';

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function chunk(name: string, ...bytes: number[]): Uint8Array {
  const head = new Uint8Array(8);
  head.set(text(name));
  viewOf(head).setUint32(4, bytes.length, true);
  return join([head, Uint8Array.from(bytes), new Uint8Array(bytes.length % 2)]);
}

const pcmFormat = chunk('fmt ', 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0);

describe('wav header', () => {
  test.each([8000, 16000, 24000, 32000, 44100])('reads back its own header at %i Hz', (sampleRate) => {
    expect(readWavHeader(writeWavHeader({ sampleRate, dataBytes: 1000 }))).toEqual({
      sampleRate,
      channels: 1,
      bitsPerSample: 16,
      encoding: 'integer',
      bytesPerFrame: 2,
      dataOffset: 44,
      declaredDataBytes: 1000,
    });
  });

  test('is the canonical 44 bytes', () => {
    const header = writeWavHeader({ sampleRate: 44100, dataBytes: 4 });
    expect([...header].map((byte) => byte.toString(16).padStart(2, '0')).join('')).toBe(
      '524946462800000057415645666d74201000000001000100' + '44ac000088580100020010006461746104000000',
    );
  });

  test('holds placeholders while the length is not known', () => {
    const header = writeWavHeader({ sampleRate: 8000 });
    expect([viewOf(header).getUint32(4, true), viewOf(header).getUint32(40, true)]).toEqual([
      0xffffffff, 0xffffffff,
    ]);
    expect(readWavHeader(header)?.declaredDataBytes).toBeUndefined();
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
    const file = join([text('RIFF\0\0\0\0WAVE'), chunk('LIST', 1, 2, 3), format, chunk('data', 9, 9)]);
    expect(readWavHeader(file)).toMatchObject({
      encoding: 'float',
      sampleRate: 48000,
      channels: 2,
      dataOffset: file.length - 2,
      declaredDataBytes: 2,
    });
  });

  test('is undefined while bytes are missing', () => {
    const file = wavTone(0.01, 8000);
    for (let length = 0; length < 44; length++)
      expect(readWavHeader(file.subarray(0, length))).toBeUndefined();
    expect(readWavHeader(file.subarray(0, 44))).toBeDefined();
  });

  test.each([
    ['another file', text('ID3\x04 and more')],
    ['another RIFF', text('RIFF\0\0\0\0AVI ')],
    ['samples without a format', join([text('RIFF\0\0\0\0WAVE'), chunk('data', 1, 2)])],
    ['an empty format', join([text('RIFF\0\0\0\0WAVE'), chunk('fmt ', 1, 0), chunk('data', 1, 2)])],
    ['no channels', join([text('RIFF\0\0\0\0WAVE'), chunk('fmt ', ...new Uint8Array(16)), chunk('data')])],
  ])('refuses %s', (_, bytes) => {
    expect(() => readWavHeader(bytes)).toThrow(AudioFormatError);
  });

  test('stops reading after the first mebibyte', () => {
    const head = chunk('LIST');
    viewOf(head).setUint32(4, 2 * 1024 * 1024, true);
    const endless = join([text('RIFF\0\0\0\0WAVE'), head, new Uint8Array(2 * 1024 * 1024)]);
    expect(() => readWavHeader(endless)).toThrow(expect.objectContaining({ kind: 'unsupported' }));
  });
});

describe('a finished wav file', () => {
  test('has the true sizes in place of the placeholders', () => {
    const file = finishWav(wavTone(0.5, 16000));
    expect(viewOf(file).getUint32(4, true)).toBe(file.length - 8);
    expect(readWavHeader(file)?.declaredDataBytes).toBe(16000);
  });

  test('has a size corrected that promises more than came', () => {
    const file = join([writeWavHeader({ sampleRate: 8000, dataBytes: 5000 }), new Uint8Array(100)]);
    expect(readWavHeader(finishWav(file))?.declaredDataBytes).toBe(100);
  });

  test('is left alone when its sizes are true, chunks after the samples included', () => {
    const file = join([text('RIFF\0\0\0\0WAVE'), pcmFormat, chunk('data', 1, 2), chunk('LIST', 1, 2)]);
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
  test('gives the samples for every cut of the file', () => {
    const samples = pcmTone(0.01, 8000);
    const file = join([
      text('RIFF\0\0\0\0WAVE'),
      chunk('LIST', 1),
      pcmFormat,
      chunk('data', ...samples),
      chunk('id3 ', 5),
    ]);
    for (let size = 1; size <= file.length; size++) {
      const reader = createWavReader();
      expect(join(inPieces(file, size).map((piece) => reader.push(piece)))).toEqual(samples);
    }
  });

  test('trusts the bytes where the size is a placeholder', () => {
    const reader = createWavReader();
    expect(reader.push(wavTone(1, 8000)).length).toBe(16000);
    expect(reader.push(new Uint8Array(10)).length).toBe(10);
    expect(reader.header?.sampleRate).toBe(8000);
  });
});

import { expect, test } from 'vitest';
import { writeWav } from './testing/make-files.ts';
import { readWav } from './wav.ts';

/** A wav file of 8 bits a sample, with a format tag. */
function wavOf(tag: number, bytes: readonly number[]): Buffer {
  const samples = Int16Array.from(bytes, (byte) => (byte - 128) << 8);
  const file = Buffer.from(writeWav(samples, { sampleRate: 8000, bitsPerSample: 8 }));
  file.writeUInt16LE(tag, 20);
  return file;
}

const samplesOf = (file: Uint8Array): number[] =>
  [...readWav(file)].flatMap(({ samples }) => [...samples].map((sample) => sample * 32768));

// The values of the tables in ITU-T G.711, in 16 bits.
test('reads the logarithmic samples of telephones', () => {
  expect(samplesOf(wavOf(7, [0xff, 0x7f, 0x80, 0x00, 0xef]))).toEqual([0, 0, 32124, -32124, 132]);
  expect(samplesOf(wavOf(6, [0xd5, 0x55, 0xaa, 0x2a, 0xc5]))).toEqual([8, -8, 32256, -32256, 264]);
});

test.each([2, 17, 85, 255, 0])(
  'refuses samples that are compressed, and names their format tag: %i',
  (tag) => {
    expect(() => samplesOf(wavOf(tag, new Array(4000).fill(0)))).toThrow(`WAV format tag ${tag}`);
  },
);

test('reads the file of 64 bits, and leaves out what follows its samples', () => {
  const samples = wavOf(1, [0, 128, 255]).subarray(12);
  const sizes = Buffer.alloc(8 + 28);
  sizes.write('ds64', 0);
  sizes.writeUInt32LE(28, 4);
  sizes.writeBigUInt64LE(3n, 16);
  const head = Buffer.from('RF64\xff\xff\xff\xffWAVE', 'latin1');
  const file = Buffer.concat([head, sizes, samples, Buffer.from('LIST\x04\0\0\0more', 'latin1')]);
  file.writeUInt32LE(0xffff_ffff, head.length + sizes.length + 28);
  expect(samplesOf(file)).toEqual([-32768, 0, 32512]);
});

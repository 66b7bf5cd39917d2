import { expect, test } from 'vitest';
import { readWav } from './wav.ts';

/** A wav file of 8 bits a sample, with a format tag. */
function wavOf(tag: number, bytes: readonly number[]): Uint8Array {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(tag, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes.length, 40);
  return Buffer.concat([head, Buffer.from(bytes)]);
}

const samplesOf = (file: Uint8Array): number[] =>
  [...(readWav(file).blocks ?? [])].flatMap(({ samples }) => [...samples].map((sample) => sample * 32768));

// The values of the tables in ITU-T G.711, in 16 bits.
test('reads the logarithmic samples of telephones', () => {
  expect(samplesOf(wavOf(7, [0xff, 0x7f, 0x80, 0x00, 0xef]))).toEqual([0, 0, 32124, -32124, 132]);
  expect(samplesOf(wavOf(6, [0xd5, 0x55, 0xaa, 0x2a, 0xc5]))).toEqual([8, -8, 32256, -32256, 264]);
});

test('measures compressed samples that it cannot read', () => {
  const { blocks, measured } = readWav(wavOf(2, new Array(4000).fill(0)));
  expect(blocks).toBeUndefined();
  expect(measured).toEqual({ seconds: 0.5, sampleRate: 8000, channels: 1 });
});

test('refuses a head that has a zero where none can be', () => {
  const file = wavOf(1, [1, 2, 3]);
  file[22] = 0;
  expect(() => readWav(file)).toThrow('zero');
});

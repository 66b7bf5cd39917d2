import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createFrameReader, type Said } from './frames.ts';

/** One frame as a peer writes it. */
function frame(first: number, payload: Uint8Array, mask?: readonly number[]): Buffer {
  const { length } = payload;
  const size = length > 0xffff ? 127 : length > 125 ? 126 : length;
  const head = Buffer.alloc(2 + (size === 127 ? 8 : size === 126 ? 2 : 0));
  head.writeUInt8(first, 0);
  head.writeUInt8(size | (mask === undefined ? 0 : 0x80), 1);
  if (size === 126) head.writeUInt16BE(length, 2);
  if (size === 127) head.writeBigUInt64BE(BigInt(length), 2);
  const bytes = Buffer.from(payload).map((byte, index) => byte ^ (mask?.[index % 4] ?? 0));
  return Buffer.concat([head, Buffer.from(mask ?? []), bytes]);
}

const inWords = (said: readonly Said[]) =>
  said.map((one) =>
    'close' in one
      ? `close ${one.close.code} ${one.close.reason}`
      : `${one.message.frame} ${Buffer.from(one.message.bytes)}`,
  );

/** Lengths in one byte, in two and in eight, with and without a mask, fragments, a ping between them, and a close. */
const session = Buffer.concat([
  frame(0x82, Buffer.from('short'), [1, 2, 3, 4]),
  frame(0x81, Buffer.from('w\u00f6rds')),
  frame(0x02, Buffer.from('one '), [9, 8, 7, 6]),
  frame(0x89, Buffer.from('ping')),
  frame(0x00, Buffer.from('two '), [5, 5, 5, 5]),
  frame(0x80, Buffer.from('three')),
  frame(0x82, Buffer.alloc(200, 'm')),
  frame(0x82, Buffer.alloc(0)),
  frame(0x88, Buffer.concat([Buffer.from([0x03, 0xe8]), Buffer.from('done')])),
]);
const said = [
  'binary short',
  'text w\u00f6rds',
  'binary one two three',
  `binary ${'m'.repeat(200)}`,
  'binary ',
  'close 1000 done',
];

describe('the bytes of one side of a socket', () => {
  test('are read as messages, cut at every byte', () => {
    expect(inWords(createFrameReader(1000)(session))).toEqual(said);
    for (let cut = 0; cut <= session.length; cut += 1) {
      const read = createFrameReader(1000);
      const all = [...read(session.subarray(0, cut)), ...read(session.subarray(cut))];
      expect(inWords(all)).toEqual(said);
    }
    const read = createFrameReader(1000);
    const drip = [...session].flatMap((byte) => read(Buffer.from([byte])));
    expect(inWords(drip)).toEqual(said);
  });

  test('may have a frame of many bytes', () => {
    const large = Buffer.alloc(70_000, 'x');
    const [only] = createFrameReader(1000)(frame(0x82, large, [1, 2, 3, 4]));
    expect(only !== undefined && 'message' in only && Buffer.from(only.message.bytes).equals(large)).toBe(
      true,
    );
  });

  test('are given up where a message would be larger than it may be', () => {
    const bomb = deflateRawSync(Buffer.alloc(100_000), { finishFlush: 2 }).subarray(0, -4);
    expect(() => createFrameReader(1000)(frame(0xc2, bomb))).toThrow(
      /larger than 1000 bytes|maxOutputLength|1000/,
    );
  });
});

import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { decodeMessagePack } from './msgpack.ts';

test('decodes binary of every length, and a float of four bytes', () => {
  const binaries = [new Uint8Array(0), new Uint8Array(300), new Uint8Array(70_000)];
  expect(decodeMessagePack(encode(binaries))).toEqual(binaries);
  expect(decodeMessagePack(encode({ float: 0.5 }, { forceFloat32: true }))).toEqual({ float: 0.5 });
  const large = [2n ** 63n - 1n, -(2n ** 63n)];
  expect(decodeMessagePack(encode(large, { useBigInt64: true }))).toEqual(large.map(Number));
});

test('gives binary as a view into the body, not as a copy', () => {
  const bytes = encode({ audio: Uint8Array.of(1, 2, 3) });
  const { audio } = decodeMessagePack(bytes) as { audio: Uint8Array };
  expect([audio.buffer === bytes.buffer, ...audio]).toEqual([true, 1, 2, 3]);
});

test.each([
  ['bytes after the value', [0xc0, 0xc0], 'goes on for 1 bytes'],
  ['the unused type byte', [0xc1], '0xc1'],
  [
    'a declared array of four thousand million',
    [0xdd, 0xff, 0xff, 0xff, 0xff],
    'declares 4294967295 entries',
  ],
  ['a declared map of four thousand million', [0xdf, 0xff, 0xff, 0xff, 0xff], 'declares 4294967295 entries'],
  [
    'a declared string of four thousand million',
    [0xdb, 0xff, 0xff, 0xff, 0xff, 0x61],
    'ends after 6 of at least',
  ],
  ['a declared binary of four thousand million', [0xc6, 0xff, 0xff, 0xff, 0xff], 'ends after 5 of at least'],
  ['an array that is longer than the body', [0xdc, 0x10, 0x00, 0xc0], 'declares 4096 entries'],
  ['an extension type', [0x81, 0xa1, 0x61, 0xd4, 0x01, 0x00], 'extension type'],
  ['a timestamp', [0xd6, 0xff, 0, 0, 0, 0], 'extension type'],
  ['a name that is a number', [0x81, 0x01, 0x01], 'a name that is not a string'],
  ['a name given twice', [0x82, 0xa1, 0x61, 0x01, 0xa1, 0x61, 0x02], 'gives `a` twice'],
  ['a string that is not UTF-8', [0x81, 0xa1, 0x61, 0xa1, 0xff], 'not UTF-8'],
  ['a length that is cut', [0xda, 0x01], 'ends after 2 of at least 3 bytes'],
])('refuses %s', (_, bytes, words) => {
  expect(() => decodeMessagePack(Uint8Array.from(bytes))).toThrow(words);
});

import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { DecodeFailure, defaultDecodeLimits } from './failure.ts';
import { decodeMessagePack } from './msgpack.ts';

const request = {
  text: 'Good morning.',
  temperature: 0.5,
  normalize: true,
  sample_rate: null,
  references: [{ audio: Uint8Array.of(1, 2, 3), text: 'one two three' }],
};

function failureOf(bytes: Uint8Array): DecodeFailure {
  try {
    decodeMessagePack(bytes);
  } catch (error) {
    if (error instanceof DecodeFailure) return error;
    throw error;
  }
  throw new Error('decoded without a complaint');
}

test('decodes every kind of value', () => {
  const value = {
    ...request,
    integers: [
      0, 127, 128, 255, 256, 65_535, 65_536, 4_294_967_296, -1, -32, -33, -128, -129, -32_769, -2_147_483_649,
    ],
    floats: [0.1, -1e300],
    strings: ['', 'a'.repeat(31), 'a'.repeat(32), 'é'.repeat(300), 'a'.repeat(70_000)],
    binaries: [new Uint8Array(0), new Uint8Array(300), new Uint8Array(70_000)],
    arrays: [[], Array.from({ length: 20 }, () => 1), Array.from({ length: 70_000 }, () => 1)],
    maps: [{}, Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`name${index}`, index]))],
  };
  const limits = { ...defaultDecodeLimits, values: 100_000 };
  expect(decodeMessagePack(encode(value), limits)).toEqual(value);
  expect(decodeMessagePack(encode({ float: 0.5 }, { forceFloat32: true }))).toEqual({ float: 0.5 });
});

test('gives binary as a view into the body, not as a copy', () => {
  const bytes = encode(request);
  const { references } = decodeMessagePack(bytes) as typeof request;
  expect(references[0]?.audio.buffer).toBe(bytes.buffer);
});

test('refuses the body cut after any byte, naming the format and the place', () => {
  const bytes = encode(request);
  for (let length = 0; length < bytes.length; length += 1) {
    const failure = failureOf(bytes.subarray(0, length));
    expect(failure).toMatchObject({ issues: [{ loc: ['body'], type: 'msgpack_invalid' }] });
    expect(failure.message).toContain('MessagePack');
  }
});

test('names the field in which a body was cut', () => {
  const bytes = encode(request);
  const failure = failureOf(bytes.subarray(0, bytes.length - 'one two three'.length));
  expect(failure.path).toEqual(['references', '0', 'text']);
  expect(failure.message).toContain('`references[0].text`');
  expect(failure.message).toMatch(/ends after \d+ of at least \d+ bytes/);
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
  expect(failureOf(Uint8Array.from(bytes)).message).toContain(words);
});

test('refuses a nesting bomb without following it', () => {
  expect(failureOf(new Uint8Array(5_000_000).fill(0x91)).message).toContain('nests deeper than 32 levels');
  const maps = Buffer.alloc(3_000_000, Buffer.from([0x81, 0xa1, 0x61]));
  expect(failureOf(maps).message).toContain('nests deeper than 32 levels');
});

test('accepts nesting up to the limit', () => {
  const nested = (depth: number): Uint8Array =>
    Uint8Array.from([...Array.from({ length: depth - 1 }, () => 0x91), 0x90]);
  expect(() => decodeMessagePack(nested(32))).not.toThrow();
  expect(() => decodeMessagePack(nested(33))).toThrow('nests deeper');
});

test('refuses a flood of values spread over many arrays', () => {
  const rows = Array.from({ length: 300 }, () => Array.from({ length: 101 }, () => 0));
  expect(failureOf(encode(rows)).message).toContain('more than 30000 values');
});

test('never throws anything but its own failure on random bytes', () => {
  let seed = 42;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed >> 16;
  };
  for (let round = 0; round < 20_000; round += 1) {
    const bytes = Uint8Array.from({ length: random() % 40 }, () => random() & 0xff);
    try {
      decodeMessagePack(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeFailure);
    }
  }
});

test.each([
  ['a short string', 'a'],
  ['a long string', 'a'.repeat(500)],
  ['the mark alone', ''],
])('keeps a leading U+FEFF in %s', (_, rest) => {
  const text = `\uFEFF${rest}`;
  expect(decodeMessagePack(encode(text))).toBe(text);
  const body = { text, references: [{ text: 'plain' }, { text: `\uFEFF${text}`, audio: new Uint8Array(3) }] };
  expect(decodeMessagePack(encode(body))).toEqual(body);
});

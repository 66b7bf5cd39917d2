import { encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { DecodeFailure } from './failure.ts';
import { decodeJson } from './json.ts';
import { decodeMessagePack } from './msgpack.ts';

const formats = [
  {
    name: 'JSON',
    decode: decodeJson,
    write: (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value)),
    bombs: [Buffer.alloc(5_000_000, '['), Buffer.alloc(5_000_000, '{"a":')],
  },
  {
    name: 'MessagePack',
    decode: decodeMessagePack,
    write: (value: unknown): Uint8Array => encode(value),
    bombs: [Buffer.alloc(5_000_000, 0x91), Buffer.alloc(3_000_000, Buffer.of(0x81, 0xa1, 0x61))],
  },
];

test.each(formats)('$name: decodes every kind of value as it was written', ({ decode, write }) => {
  const value = {
    numbers: [
      0,
      127,
      128,
      65_535,
      65_536,
      4_294_967_295,
      2 ** 40,
      -1,
      -33,
      -129,
      -32_769,
      -(2 ** 40),
      0.1,
      -1e300,
    ],
    strings: ['', 'x\n"\\', 'é'.repeat(300), '文', '😀', 'a'.repeat(70_000)],
    // Decoders of text like to take it for a mark of the encoding.
    marks: ['\uFEFF', '\uFEFFa', `\uFEFF${'a'.repeat(500)}`],
    lists: [
      [],
      [[]],
      Array.from({ length: 20 }, (_, index) => index),
      Array.from({ length: 20_000 }, () => null),
    ],
    objects: [
      {},
      { '': {} },
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`name${index}`, true])),
    ],
    文: false,
  };
  expect(decode(write(value))).toEqual(value);
  for (const alone of [1, 'x', null, []]) expect(decode(write(alone))).toEqual(alone);
  const own = { ['__proto__']: 1 };
  expect(Object.getOwnPropertyNames(decode(write(own)))).toEqual(['__proto__']);
});

test.each(formats)('$name: refuses a nesting bomb without following it', ({ decode, bombs }) => {
  for (const bomb of bombs) {
    expect(() => decode(bomb)).toThrow(
      expect.objectContaining({ path: expect.objectContaining({ length: 32 }) }),
    );
    expect(() => decode(bomb)).toThrow('nests deeper than 32 levels');
  }
});

test.each(formats)('$name: accepts nesting and values up to the limit', ({ decode, write }) => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  expect(() => decode(write(nested(32)))).not.toThrow();
  expect(() => decode(write(nested(33)))).toThrow('nests deeper');
  const rows = (extra: number) => [
    ...Array.from({ length: 299 }, () => Array(99).fill(0)),
    Array(98 + extra).fill(0),
  ];
  expect(() => decode(write(rows(0)))).not.toThrow();
  expect(() => decode(write(rows(1)))).toThrow('holds more than 30000 values');
  const names = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`name${index}`, 0]));
  expect(() => decode(write(names))).toThrow('holds more than 30000 values');
});

test.each(formats)(
  '$name: refuses a body cut after any byte, naming the format and the place',
  ({ name, decode, write }) => {
    const bytes = write({ text: 'Good morning.', normalize: true, references: [{ text: 'one two three' }] });
    for (let length = 0; length < bytes.length; length += 1) {
      const failure = failureOf(() => decode(bytes.subarray(0, length)));
      expect(failure).toMatchObject({ entry: { id: 'malformed-body' }, issues: [{ loc: ['body'] }] });
      expect(failure.message).toContain(name);
    }
    expect(failureOf(() => decode(bytes.subarray(0, -5)))).toMatchObject({
      path: ['references', '0', 'text'],
      message: expect.stringContaining('in `references[0].text`'),
    });
  },
);

function failureOf(decode: () => unknown): DecodeFailure {
  try {
    decode();
  } catch (error) {
    if (error instanceof DecodeFailure) return error;
    throw error;
  }
  throw new Error('decoded without a complaint');
}

import { encode as peerEncode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DecodeLimits, decode, MessagePackError } from './index.ts';

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.replaceAll(' ', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function failureOf(bytes: Uint8Array, limits?: DecodeLimits): MessagePackError {
  try {
    decode(bytes, limits);
  } catch (error) {
    if (MessagePackError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('the bytes were decoded');
}

describe('bytes', () => {
  test('may be in the middle of a buffer', () => {
    expect(decode(fromHex('ff ff 92 01 02 ff').subarray(2, 5))).toEqual([1, 2]);
    expect(decode(fromHex('92 01 02').buffer)).toEqual([1, 2]);
  });

  test.each([1, 30, 300])('of a text keep the mark at its beginning, before %s letters', (length) => {
    const text = `\uFEFF${'a'.repeat(length)}\uFEFF`;
    expect(decode(peerEncode(text))).toBe(text);
  });

  test('are an error at every truncation and with anything behind', () => {
    const whole = peerEncode({ text: 'hé', list: [1, -5, 0.5, null, new Uint8Array(300)], big: 2 ** 40 });
    for (let length = 0; length < whole.length; length++) {
      expect(failureOf(whole.subarray(0, length)).kind, `${length} bytes`).toBe('truncated');
    }
    expect(failureOf(new Uint8Array([...whole, 0xc0])).kind).toBe('trailing-bytes');
  });

  test('never crash or hang, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          decode(bytes);
        } catch (error) {
          expect(MessagePackError.isInstance(error)).toBe(true);
        }
      }),
      { numRuns: 5000 },
    );
  });

  test('are refused where a map has the key __proto__ or a key that is not a string', () => {
    expect(failureOf(peerEncode(JSON.parse('{"__proto__":1}'))).kind).toBe('malformed');
    expect(failureOf(fromHex('81 c0 01')).kind).toBe('malformed');
    expect(failureOf(fromHex('c1')).kind).toBe('malformed');
    expect(failureOf(fromHex('a3 ed a0 bd')).message).toContain('not UTF-8');
    expect(failureOf(fromHex('d5 ff 00 00')).kind).toBe('malformed');
  });
});

describe('limits', () => {
  test('unless asked otherwise take a message of 64 MiB and no more', () => {
    expect(failureOf(new Uint8Array(2 ** 26)).kind).toBe('trailing-bytes');
    const { kind, message } = failureOf(new Uint8Array(2 ** 26 + 1));
    expect(kind).toBe('too-large');
    expect(message).toBe('The message has 67108865 bytes; the limit is 67108864.');
  });

  test('unless asked otherwise take a million values at all levels and no more', () => {
    // Arrays of 999 empty maps each.
    const row = [0xdc, 3, 231, ...Array(999).fill(0x80)];
    const rows = (count: number, ...last: number[]) =>
      new Uint8Array([0xdd, 0, 0, 3, 232, ...Array(count).fill(row).flat(), ...last]);
    expect(decode(rows(999, 0xdc, 3, 230, ...Array(998).fill(0x80)))).toHaveLength(1000);
    expect(failureOf(rows(1000)).message).toBe('The message has more than 1000000 values.');
  });

  test('maximumValues, the keys of maps included', () => {
    const map = fromHex('82 a1 61 01 a1 62 02');
    expect(decode(map, { maximumValues: 5 })).toEqual({ a: 1, b: 2 });
    expect(failureOf(map, { maximumValues: 4 }).kind).toBe('too-large');
  });

  test('maximumDepth, without using the call stack', () => {
    const nested = (levels: number) => new Uint8Array([...new Uint8Array(levels).fill(0x91), 0xc0]);
    expect(decode(nested(64))).toBeInstanceOf(Array);
    expect(failureOf(nested(65)).kind).toBe('too-deep');
    expect(failureOf(nested(1_000_000)).kind).toBe('too-deep');
    const maps = (levels: number) => fromHex(`${'81 a1 61 '.repeat(levels)}c0`);
    expect(decode(maps(64))).toBeInstanceOf(Object);
    expect(failureOf(maps(65)).message).toBe('The value is deeper than 64 levels.');
  });

  test('a length that the bytes can not hold allocates nothing', () => {
    expect(failureOf(fromHex('dd ff ff ff ff')).kind).toBe('truncated');
    // Ten nested claims of 900 000 elements each would be some 70 MB of empty arrays.
    const claims = fromHex('dd 00 0d bb a0'.repeat(10));
    expect(failureOf(claims).kind).toBe('truncated');
  });
});

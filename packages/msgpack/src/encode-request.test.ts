import { decode as peerDecode, encode as peerEncode } from '@msgpack/msgpack';
import { describe, expect, test } from 'vitest';
import { decode, type EncodedParts, encodeRequest, MessagePackError } from './index.ts';

async function joined({ parts, byteLength }: EncodedParts): Promise<Uint8Array> {
  const bytes = new Uint8Array(await new Blob([...parts]).arrayBuffer());
  expect(bytes.length).toBe(byteLength);
  return bytes;
}

function failureOf(value: unknown): MessagePackError {
  try {
    encodeRequest(value);
  } catch (error) {
    if (MessagePackError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('the value was encoded');
}

describe('binaries', () => {
  test('are the very objects of the caller', () => {
    const audio = new Uint8Array(10_000_000);
    const bytes = new Uint8Array(3);
    const { parts } = encodeRequest({
      text: 'x',
      references: [
        { audio, text: 'a' },
        { audio: bytes, text: 'b' },
      ],
    });
    expect([parts[1] === audio, parts[3] === bytes]).toEqual([true, true]);
    expect(parts.length).toBe(5);
  });

  test('share the memory of buffers and other views', () => {
    const { buffer } = new Int16Array([1, 2, 3, 4]);
    const shared = [buffer, new Int16Array(buffer, 2, 2), new DataView(buffer, 1, 3), Buffer.from(buffer, 4)];
    const parts = encodeRequest(shared).parts.filter(
      (part) => part instanceof Uint8Array && part.buffer === buffer,
    );
    expect(parts.map((part) => part instanceof Uint8Array && [part.byteOffset, part.byteLength])).toEqual([
      [0, 8],
      [2, 4],
      [1, 3],
      [4, 4],
    ]);
  });

  test('may be blobs and files, whose size is known without reading them', async () => {
    const file = new File(['abc'], 'a.wav');
    const encoded = encodeRequest({ audio: file, other: new Blob([]) });
    expect(encoded.parts).toContain(file);
    expect(peerDecode(await joined(encoded))).toEqual({
      audio: Uint8Array.of(97, 98, 99),
      other: new Uint8Array(0),
    });
  });
});

describe('values', () => {
  test('have the bytes that another encoder gives them, at every border of their widths', async () => {
    const borders = [0, 5, 7, 8, 15, 16, 31, 32, 52, 53].flatMap((power) =>
      [-1, 1].flatMap((sign) => [-1, 0, 1].map((near) => sign * (2 ** power + near))),
    );
    const fractions = [0.1, -0.5, 1e21, -1e300, 5e-324, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -0];
    const texts = [0, 31, 32, 255, 256, 65_535, 65_536].flatMap((length) =>
      ['a', 'é', '😀'].map((character) => character.repeat(length)),
    );
    const filled = [0, 1, 15, 16, 255, 256, 65_535, 65_536].flatMap((length) => [
      new Uint8Array(length),
      Array.from({ length }, () => 1),
      Object.fromEntries(Array.from({ length }, (_, index) => [`${index}`, null])),
    ]);
    for (const value of [...borders, ...fractions, ...texts, ...filled, null, true, false]) {
      const bytes = await joined(encodeRequest(value));
      expect(Buffer.compare(bytes, peerEncode(value)), String(value).slice(0, 40)).toBe(0);
      expect(plain(decode(bytes))).toEqual(plain(value));
    }
  });

  test('may be long texts, of any length around the growth of the buffer', async () => {
    for (const length of [115, 125, 126, 127, 128, 129, 5000, 100_000]) {
      const values = ['é'.repeat(length), new Uint8Array(1), 'é'.repeat(length)];
      expect(peerDecode(await joined(encodeRequest(values)))).toEqual(values);
    }
  });

  test('may be objects of a class or without prototype, and have unpaired surrogates replaced', async () => {
    class Request {
      text = 'a\ud800b\udc00👍';
    }
    const bare = Object.assign(Object.create(null), { text: 'y' });
    const decoded = peerDecode(await joined(encodeRequest([new Request(), bare])));
    expect(decoded).toEqual([{ text: 'a\ufffdb\ufffd👍' }, { text: 'y' }]);
  });

  test('leave out undefined properties and keep null, zero, false and the empty string', async () => {
    const request = { a: undefined, b: null, c: 0, d: false, e: '' };
    expect(peerDecode(await joined(encodeRequest(request)))).toStrictEqual({
      b: null,
      c: 0,
      d: false,
      e: '',
    });
  });
});

describe('refusals', () => {
  test.each([
    ['a function', { a: [() => 1] }, '/a/0'],
    ['a symbol', { a: Symbol('s') }, '/a'],
    ['a bigint', { a: 1n }, '/a'],
    ['NaN', { temperature: Number.NaN }, '/temperature'],
    ['Infinity', [[Number.POSITIVE_INFINITY]], '/0/0'],
    ['undefined', [1, undefined], '/1'],
    ['a Date', { at: new Date(0) }, '/at'],
    ['a Map', { 'a/b~c': new Map() }, '/a~1b~0c'],
    ['a Promise', { audio: Promise.resolve() }, '/audio'],
    ['a ReadableStream', { audio: new ReadableStream() }, '/audio'],
    ['undefined', undefined, ''],
  ])('%s in %o is refused by its path', (name, value, path) => {
    const failure = failureOf(value);
    expect(failure).toMatchObject({ kind: 'unsupported-value', path });
    expect(failure.message).toContain(name);
    if (path !== '') expect(failure.message).toContain(path);
  });
});

/** Minus zero has no integer form, and decoded binaries may be views: neither is a difference. */
function plain(value: unknown): unknown {
  if (value === 0) return 0;
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, plain(child)]));
}

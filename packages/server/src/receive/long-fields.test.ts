import { encode } from '@msgpack/msgpack';
import { limits } from '@speech-api/types';
import { expect, test } from 'vitest';
import { decodeLimits } from '../decode/failure.ts';
import { Refusal } from '../refuse/refusal.ts';
import { watchLongField } from './long-fields.ts';
import { formOf, multipart, refusalOf } from './testing/receiving.ts';

// Bodies that never end are sent to both servers by the end-to-end tests.

const most = limits.textCodePoints;

/** The number of bytes after which a body is refused; `undefined` when all of it is taken. */
function refusedAfter(body: Uint8Array, mediaType: string, step: number): number | undefined {
  const watch = watchLongField('createSpeech', mediaType, mediaType);
  for (let at = 0; at < body.length; at += step) {
    try {
      void watch?.(body.subarray(at, at + step));
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      return at + step;
    }
  }
  return undefined;
}

const asJson = (value: object) => Buffer.from(JSON.stringify(value));
const escaped = (value: object) =>
  Buffer.from(
    JSON.stringify(value).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
const before = {
  references: [{ audio: 'A'.repeat(most), text: 'b'.repeat(most + 1), more: [1, -70_000, 1.5, null, {}] }],
  prosody: { text: 'c'.repeat(most + 1) },
  note: '"text":"\\',
  texts: 'd'.repeat(most + 1),
};

test.each([
  ['JSON', 'application/json', asJson],
  ['JSON in escapes', 'application/json', escaped],
  // Of a text in four bytes a character, the length alone says enough.
  ['MessagePack', 'application/msgpack', encode],
])('only the outermost text counts, by its characters, in %s', (_, mediaType, write) => {
  for (const character of ['a', '港', '"', '\n', ...(mediaType.endsWith('json') ? ['😀'] : [])]) {
    for (const step of [7, 65_536]) {
      const longest = write({ ...before, text: character.repeat(most), after: before });
      expect(refusedAfter(longest, mediaType, step)).toBeUndefined();
      const longer = write({ ...before, text: character.repeat(most + 1) });
      // Up to the last character, and the few bytes that end the text and the map.
      expect(refusedAfter(longer, mediaType, step)).toBeGreaterThan(longer.length - 20);
    }
  }
});

test('a length that cannot be right is refused before the text comes', () => {
  const head = Buffer.from([0x81, 0xa4, ...Buffer.from('text'), 0xdb, 0xff, 0xff, 0xff, 0xff]);
  expect(refusedAfter(head, 'application/msgpack', 1)).toBe(head.length);
});

test('a form of too many parts is refused for them, and no file is looked for behind them', async () => {
  const part = ['name="x"', 'x'] as const;
  const parts = Array.from({ length: 300_000 }, () => part);
  const body = formOf(parts);
  expect(await refusalOf({ url: '/v1/asr', headers: multipart, body })).toMatchObject({
    entry: { id: 'malformed-body' },
    message: `The form has more than ${decodeLimits.formParts} parts.`,
  });
  const file = [
    'name="audio"; filename="a"',
    'a'.repeat(limits.transcriptionFileBytesRefusedAbove + 1),
  ] as const;
  const isRefused = async (before: number): Promise<boolean> => {
    const watch = watchLongField('createTranscription', 'multipart/form-data', multipart['content-type']);
    const form = Buffer.from(formOf([...parts.slice(0, before), file]));
    try {
      for (let at = 0; at < form.length; at += 65_536) await watch?.(form.subarray(at, at + 65_536));
      return false;
    } catch (error) {
      return error instanceof Refusal && error.entry.id === 'file-too-large';
    }
  };
  expect(await isRefused(decodeLimits.formParts)).toBe(true);
  expect(await isRefused(decodeLimits.formParts + 1)).toBe(false);
});

test('what is not of its format is left to the decoder, without memory for each level', () => {
  for (const byte of [0x5b, 0x7b, 0x22, 0x91, 0x81, 0xc1, 0xd4, 0xdf, 0xff]) {
    const body = Buffer.alloc(1_000_000, byte);
    expect(refusedAfter(body, 'application/json', 65_536)).toBeUndefined();
    expect(refusedAfter(body, 'application/msgpack', 65_536)).toBeUndefined();
  }
  expect(watchLongField('createTranscription', 'multipart/form-data', 'multipart/form-data')).toBeUndefined();
});

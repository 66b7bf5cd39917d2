import { decode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { authorization, encodeBody, toneAsWav } from './request.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = Buffer.from([0, 255, 13, 10]);

test('bytes are base64 in JSON, wherever they are, even those of a Buffer', () => {
  const body = encodeBody('application/json', { references: [{ audio: bytes, text: 'a' }] });
  expect(JSON.parse(text(body.bytes))).toEqual({ references: [{ audio: 'AP8NCg==', text: 'a' }] });
});

test('bytes are binary in MessagePack, and what is undefined is left out', () => {
  const body = encodeBody('application/msgpack', { audio: new Uint8Array(bytes), language: undefined });
  expect(decode(body.bytes)).toEqual({ audio: new Uint8Array(bytes) });
});

test('a form repeats the field for an array, and distinguishes a space from a plus', () => {
  const body = encodeBody('application/x-www-form-urlencoded', { tags: ['a b', 'c+d'], left: null });
  expect(text(body.bytes)).toBe('tags=a+b&tags=c%2Bd');
});

test('bytes are a file part of a multipart form, as they are', () => {
  const { contentType, bytes: written } = encodeBody('multipart/form-data', {
    audio: new Uint8Array(bytes),
    language: 'en',
  });
  const boundary = contentType.split('boundary=')[1];
  const latin1 = Buffer.from(written).toString('latin1');
  expect(latin1).toContain(
    `name="audio"; filename="audio.bin"\r\ncontent-type: application/octet-stream\r\n\r\n\0\xff\r\n\r\n--${boundary}`,
  );
  expect(latin1).toContain('name="language"\r\n\r\nen\r\n');
  expect(latin1.endsWith(`--${boundary}--\r\n`)).toBe(true);
});

test('a tone is a wav file of the length that was asked for, and no second of it is silent', () => {
  const file = Buffer.from(toneAsWav({ seconds: 2.5, sampleRate: 8000 }));
  expect(file.length).toBe(44 + 2.5 * 8000 * 2);
  expect(file.subarray(0, 4).toString('latin1')).toBe('RIFF');
  expect(file.readUInt32LE(24)).toBe(8000);
  expect(file.readUInt32LE(40)).toBe(file.length - 44);
  for (const second of [0, 1, 2]) {
    const levels = Array.from({ length: 4000 }, (_none, index) =>
      Math.abs(file.readInt16LE(44 + (second * 8000 + index) * 2)),
    );
    expect(Math.max(...levels)).toBeGreaterThan(10_000);
  }
});

test.each(['given', 'wrong', 'tail', 'empty'] as const)(
  'writes Bearer as the interface does for a key that is %s: a server may accept or refuse another case',
  (form) => {
    const { authorization: header } = authorization(form, { key: 'a-key' });
    expect(header).toMatch(/^Bearer /);
  },
);

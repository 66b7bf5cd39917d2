import { randomUUID } from 'node:crypto';
import { encode } from '@msgpack/msgpack';

/** A body as it leaves, with the header that says what it is. */
export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** The fields of a request body. Bytes stand as `Uint8Array`, whatever the media type makes of them. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes fields in one of the media types of the interface.
 *
 * @throws Error when the media type is none of those
 */
export function encodeBody(mediaType: string, fields: unknown): EncodedBody {
  const encoder = encoders[mediaType];
  if (encoder === undefined) {
    throw new Error(`no way to write ${mediaType}; one of ${Object.keys(encoders).join(', ')}`);
  }
  return encoder(fields);
}

const encoders: Readonly<Record<string, (fields: unknown) => EncodedBody>> = {
  'application/json': (fields) => ({
    contentType: 'application/json',
    bytes: utf8(JSON.stringify(withBase64(fields))),
  }),
  'application/msgpack': (fields) => ({
    contentType: 'application/msgpack',
    bytes: encode(fields, { ignoreUndefined: true }),
  }),
  'application/x-www-form-urlencoded': (fields) => ({
    contentType: 'application/x-www-form-urlencoded',
    bytes: utf8(new URLSearchParams(textEntries(asFields(fields))).toString()),
  }),
  'multipart/form-data': (fields) => encodeMultipart(asFields(fields)),
};

// A replacer would come too late for a Buffer: it turns itself into a list of numbers first.
function withBase64(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withBase64);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withBase64(inner)]));
}

/** A repeated field is one entry for each value: nobody agrees on how to join them. */
function textEntries(fields: Fields): [string, string][] {
  return entriesOf(fields).map(([name, value]) => [name, String(value)]);
}

function entriesOf(fields: Fields): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value.map((entry): [string, unknown] => [name, entry]) : [[name, value]];
  });
}

function encodeMultipart(fields: Fields): EncodedBody {
  const boundary = `speech-contract-${randomUUID()}`;
  const parts = entriesOf(fields).flatMap(([name, value]) => {
    const disposition = `content-disposition: form-data; name="${name}"`;
    const head =
      value instanceof Uint8Array
        ? `${disposition}; filename="${name}.bin"\r\ncontent-type: application/octet-stream`
        : disposition;
    const content = value instanceof Uint8Array ? value : utf8(String(value));
    return [utf8(`--${boundary}\r\n${head}\r\n\r\n`), content, utf8('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...parts, utf8(`--${boundary}--\r\n`)]),
  };
}

function asFields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('only an object with fields can be written as a form');
  }
  return value as Fields;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

import { randomUUID } from 'node:crypto';
import { encode } from '@msgpack/msgpack';
import { headerNames, type OperationId, operationTable } from '@speech-api/types';
import type { RecordedRequest } from '../exchange.ts';
import { keyPlaceholder, wrongKey } from '../key.ts';
import type { Target } from './preflight.ts';
import type { Call, Key } from './step.ts';

/** A body as it leaves, with the header that says what it is. */
interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** The fields of a request body. Bytes are `Uint8Array`, whatever the media type turns them into. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes fields in one of the media types of the interface.
 *
 * @throws Error when the media type is not one of those
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

/** A repeated field is one entry per value: there is no common way to join them. */
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

/** Sound of a tone that the judge generates. */
interface ToneOptions {
  /** Duration in seconds. */
  readonly seconds: number;
  /** In Hz. @defaultValue 16000 */
  readonly sampleRate?: number;
  /** Pitch in whole Hz. @defaultValue 220 */
  readonly pitch?: number;
}

const headerBytes = 44;
const bytesPerSample = 2;

/**
 * A wav file (16-bit, mono) with a tone that swells and fades three times a second, as loud as speech is.
 * Used where any recording will do, so that the judge ships no recordings of people.
 */
export function toneAsWav({ seconds, sampleRate = 16_000, pitch = 220 }: ToneOptions): Uint8Array {
  const samples = Math.round(seconds * sampleRate);
  const file = Buffer.alloc(headerBytes + samples * bytesPerSample);
  // Every second sounds like the first: writing each sample anew takes a second for the largest file a server takes.
  file.fill(oneSecond(Math.min(samples, sampleRate), sampleRate, pitch), headerBytes);
  writeHeader(file, sampleRate);
  return new Uint8Array(file.buffer, file.byteOffset, file.length);
}

function oneSecond(samples: number, sampleRate: number, pitch: number): Buffer {
  const sound = Buffer.alloc(samples * bytesPerSample);
  for (let index = 0; index < samples; index += 1) {
    const at = index / sampleRate;
    const swell = 0.5 - 0.5 * Math.cos(2 * Math.PI * 3 * at);
    const level = 12_000 * swell * Math.sin(2 * Math.PI * pitch * at);
    sound.writeInt16LE(Math.round(level), index * bytesPerSample);
  }
  return sound;
}

function writeHeader(file: Buffer, sampleRate: number): void {
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * bytesPerSample, 28);
  file.writeUInt16LE(bytesPerSample, 32);
  file.writeUInt16LE(8 * bytesPerSample, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(file.length - headerBytes, 40);
}

/** Writes a call down as the request that is sent. */
export function writeCall(operationId: OperationId, call: Call, target: Target): RecordedRequest {
  const operation = operationTable[operationId];
  const path = (call.elsewhere ?? operation.path).replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = call.path?.[name];
    if (value === undefined) throw new Error(`${operationId} needs a value for {${name}} of its path`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(
    (call.query ?? []).map(([name, value]): [string, string] => [name, value]),
  ).toString();
  const body = writeBody(call, operation.requestMediaTypes[0]);
  return {
    method: call.method ?? operation.method,
    url: `${target.base}${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      accept: '*/*',
      'user-agent': 'speech-contract',
      ...authorization(call.key, target),
      ...(body !== undefined && {
        'content-type': body.contentType,
        'content-length': String(body.bytes.length),
      }),
      ...call.headers,
    },
    ...shownAuthorization(call.key),
    ...(body !== undefined && { body: body.bytes }),
    ...(call.fields !== undefined && { decoded: call.fields }),
  };
}

/** The header with the key, if there is to be one. */
export function authorization(
  key: Key = 'given',
  { key: given }: Pick<Target, 'key'>,
): Record<string, string> {
  if (key === 'none') return {};
  const values = {
    given: `Bearer ${given}`,
    wrong: `Bearer ${wrongKey}`,
    scheme: `Token ${given}`,
    basic: `Basic ${given}`,
    lower: `bearer ${given}`,
    tail: `Bearer ${given}x`,
    changed: `Bearer ${changed(given)}`,
    empty: 'Bearer ',
  };
  return { [headerNames.authorization]: values[key] };
}

/** The key with its last letter replaced. A placeholder is in braces, and shows what becomes of it. */
function changed(key: string): string {
  if (key.startsWith('${')) return `\${${key.slice(2, -1)}%?}x`;
  return key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
}

/** The form of a bad key, for reports; a good one needs no words. */
function shownAuthorization(key: Key = 'given') {
  // In braces, since a letter may follow.
  const shown = authorization(key, { key: keyPlaceholder.replace(/\w+/, '{$&}') })[headerNames.authorization];
  return key === 'given' || shown === undefined ? {} : { shownAuthorization: shown };
}

function writeBody(call: Call, usual: string | undefined) {
  const mediaType = call.mediaType ?? usual;
  if (call.bytes !== undefined)
    return { contentType: mediaType ?? 'application/octet-stream', bytes: call.bytes };
  if (call.fields === undefined) return undefined;
  if (mediaType === undefined) throw new Error('a body needs a media type');
  return encodeBody(mediaType, call.fields);
}

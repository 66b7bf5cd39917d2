import { asPart, isBinary, kindOf, sizeOf } from './binary.ts';
import { MessagePackError, type MessagePackErrorKind } from './errors.ts';
import { HeadWriter } from './head-writer.ts';

/** An encoded request: its parts, joined in order, are one MessagePack value. */
export interface EncodedParts {
  /** Binaries of the request are here themselves, not copies: leave them unchanged until the request is sent. */
  readonly parts: readonly (Uint8Array<ArrayBuffer> | Blob)[];
  /** Bytes of all parts together: the value of `Content-Length`. */
  readonly byteLength: number;
}

/** Levels of arrays and objects that {@link encodeRequest} takes. */
export const maximumEncodeDepth: number = 64;

const MAXIMUM_BINARY = 0xffff_ffff;

/**
 * Encodes a request body as MessagePack without copying any binary.
 *
 * Properties that are `undefined` are left out, `null` is kept. Typed arrays, `DataView`, `ArrayBuffer`, Node `Buffer`,
 * `Blob` and `File` become binaries. Unpaired surrogates in strings become U+FFFD.
 *
 * @throws MessagePackError naming the path: for functions, symbols, bigints, `NaN` and infinities, `undefined` in an
 * array, and objects that are not plain data (`Date`, `Map`, streams); for cycles; for more than 64 levels.
 *
 * @example
 * ```ts
 * const { parts, byteLength } = encodeRequest({ text: 'Hello', references: [{ audio: wav, text: 'Hi' }] });
 * const body = new Blob([...parts], { type: 'application/msgpack' });
 * ```
 */
export function encodeRequest(value: unknown): EncodedParts {
  const encoding: Encoding = { writer: new HeadWriter(), parts: [], byteLength: 0, ancestors: [] };
  encodeValue(encoding, value, []);
  flush(encoding);
  return { parts: encoding.parts, byteLength: encoding.byteLength };
}

interface Encoding {
  readonly writer: HeadWriter;
  readonly parts: (Uint8Array<ArrayBuffer> | Blob)[];
  byteLength: number;
  readonly ancestors: object[];
}

type Path = (string | number)[];

function encodeValue(encoding: Encoding, value: unknown, path: Path): void {
  if (typeof value === 'object' && value !== null) {
    if (isBinary(value)) encodeBinary(encoding, asPart(value), path);
    else encodeContainer(encoding, value, path);
  } else if (typeof value === 'string') {
    encoding.writer.scalar(value);
  } else if (typeof value === 'boolean' || value === null || Number.isFinite(value)) {
    encoding.writer.scalar(value as boolean | number | null);
  } else {
    const isNamed = typeof value === 'number' || value === undefined;
    refuseUnsupported(path, isNamed ? String(value) : `a ${typeof value}`);
  }
}

function encodeBinary(encoding: Encoding, part: Uint8Array<ArrayBuffer> | Blob, path: Path): void {
  const size = sizeOf(part);
  if (size > MAXIMUM_BINARY) {
    refuse(path, 'too-large', `has ${size} bytes; a MessagePack binary holds ${MAXIMUM_BINARY}`);
  }
  encoding.writer.binaryHeader(size);
  if (size === 0) return;
  flush(encoding);
  encoding.parts.push(part);
  encoding.byteLength += size;
}

function encodeContainer(encoding: Encoding, value: object, path: Path): void {
  const { writer, ancestors } = encoding;
  if (ancestors.includes(value)) refuse(path, 'cyclic-value', 'contains itself');
  if (ancestors.length >= maximumEncodeDepth) {
    refuse(path, 'too-deep', `is deeper than ${maximumEncodeDepth} levels`);
  }
  ancestors.push(value);
  if (Array.isArray(value)) {
    writer.arrayHeader(value.length);
    // By index, because `forEach` would pass over the holes that the header has counted.
    for (let index = 0; index < value.length; index++) encodeValue(encoding, value[index], [...path, index]);
  } else {
    // `Map`, `Date`, a stream or a promise has no properties of its own and would silently become an empty map.
    if (kindOf(value) !== 'Object') refuseUnsupported(path, `a ${kindOf(value)}`);
    const entries = Object.entries(value).filter(([, child]) => child !== undefined);
    writer.mapHeader(entries.length);
    for (const [name, child] of entries) {
      encodeValue(encoding, name, path);
      encodeValue(encoding, child, [...path, name]);
    }
  }
  ancestors.pop();
}

function flush(encoding: Encoding): void {
  const head = encoding.writer.take();
  if (head.length === 0) return;
  encoding.parts.push(head);
  encoding.byteLength += head.length;
}

function refuse(path: Path, kind: MessagePackErrorKind, words: string): never {
  const pointer = path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const place = pointer === '' ? 'The value' : `The value at ${pointer}`;
  throw new MessagePackError(`${place} ${words}.`, { kind, path: pointer });
}

function refuseUnsupported(path: Path, found: string): never {
  refuse(path, 'unsupported-value', `is ${found}, which a request can not carry`);
}

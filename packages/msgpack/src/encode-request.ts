import { MessagePackError } from './errors.ts';

/** Anything that becomes a MessagePack binary: bytes, views of bytes (a Node `Buffer` too), and blobs and files. */
export type BinaryValue = Uint8Array | ArrayBuffer | ArrayBufferView | Blob;

/** An encoded request: its parts, joined in order, are one MessagePack value. */
export interface EncodedParts {
  /** Binaries of the request are included without copying: leave them unchanged until the request is sent. */
  readonly parts: readonly (Uint8Array<ArrayBuffer> | Blob)[];
  /** Bytes of all parts together: the value of `Content-Length`. */
  readonly byteLength: number;
}

/**
 * Encodes a request body as MessagePack without copying any binary.
 *
 * Properties that are `undefined` are left out, `null` is kept. Typed arrays, `DataView`, `ArrayBuffer`, Node `Buffer`,
 * `Blob` and `File` become binaries. Unpaired surrogates in strings become U+FFFD.
 *
 * @throws MessagePackError naming the path: for functions, symbols, bigints, `NaN` and infinities, `undefined` in an
 * array, and objects that are not plain data (`Date`, `Map`, streams).
 *
 * @example
 * ```ts
 * const { parts, byteLength } = encodeRequest({ text: 'Hello', references: [{ audio: wav, text: 'Hi' }] });
 * const body = new Blob([...parts], { type: 'application/msgpack' });
 * ```
 */
export function encodeRequest(value: unknown): EncodedParts {
  const encoding: Encoding = { writer: new HeadWriter(), parts: [], byteLength: 0 };
  encodeValue(encoding, value, '');
  flush(encoding);
  return { parts: encoding.parts, byteLength: encoding.byteLength };
}

interface Encoding {
  readonly writer: HeadWriter;
  readonly parts: (Uint8Array<ArrayBuffer> | Blob)[];
  byteLength: number;
}

function encodeValue(encoding: Encoding, value: unknown, pointer: string): void {
  if (typeof value === 'object' && value !== null) {
    if (isBinary(value)) encodeBinary(encoding, asPart(value));
    else encodeContainer(encoding, value, pointer);
  } else if (typeof value === 'string') {
    encoding.writer.scalar(value);
  } else if (typeof value === 'boolean' || value === null || Number.isFinite(value)) {
    encoding.writer.scalar(value as boolean | number | null);
  } else {
    const isNamed = typeof value === 'number' || value === undefined;
    refuse(pointer, isNamed ? String(value) : `a ${typeof value}`);
  }
}

function encodeBinary(encoding: Encoding, part: Uint8Array<ArrayBuffer> | Blob): void {
  const size = isBlob(part) ? part.size : part.byteLength;
  encoding.writer.binaryHeader(size);
  if (size === 0) return;
  flush(encoding);
  encoding.parts.push(part);
  encoding.byteLength += size;
}

function encodeContainer(encoding: Encoding, value: object, pointer: string): void {
  const { writer } = encoding;
  if (Array.isArray(value)) {
    writer.arrayHeader(value.length);
    // The loop is by index, because `forEach` would skip the holes that the header has counted.
    for (let index = 0; index < value.length; index++)
      encodeValue(encoding, value[index], `${pointer}/${index}`);
  } else {
    // `Map`, `Date`, a stream or a promise has no properties of its own and would silently become an empty map.
    if (kindOf(value) !== 'Object') refuse(pointer, `a ${kindOf(value)}`);
    const entries = Object.entries(value).filter(([, child]) => child !== undefined);
    writer.mapHeader(entries.length);
    for (const [name, child] of entries) {
      writer.scalar(name);
      encodeValue(encoding, child, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  }
}

function flush(encoding: Encoding): void {
  const head = encoding.writer.take();
  if (head.length === 0) return;
  encoding.parts.push(head);
  encoding.byteLength += head.length;
}

function refuse(pointer: string, description: string): never {
  const place = pointer === '' ? 'The value' : `The value at ${pointer}`;
  const message = `${place} is ${description}, which a request can not carry.`;
  throw new MessagePackError(message, 'unsupported-value', pointer);
}

/** True for any {@link BinaryValue}, including one from another realm, such as that of a test in Jest. */
export function isBinary(value: unknown): value is BinaryValue {
  if (ArrayBuffer.isView(value)) return true;
  const kind = kindOf(value);
  return kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer' || isBlob(value);
}

/** A view of the same memory as bytes; a blob stays unchanged. */
export function asPart(value: BinaryValue): Uint8Array<ArrayBuffer> | Blob {
  if (value instanceof Uint8Array || isBlob(value)) return value as Uint8Array<ArrayBuffer> | Blob;
  const { buffer = value, byteOffset, byteLength } = value as Uint8Array;
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** The type that `Object.prototype.toString` names: `Map`, `Date`, `Object`. */
function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** True for a Blob and a File, including one from another realm. */
export function isBlob(value: unknown): value is Blob {
  if (value instanceof Blob) return true;
  const kind = kindOf(value);
  return kind === 'Blob' || kind === 'File';
}

const FIRST_BLOCK = 256;
const utf8 = /* @__PURE__ */ new TextEncoder();

/**
 * Collects what is between binaries; the binaries themselves are not copied. The values of a request are of few kinds:
 * the encoder of a library, with its timestamps and extensions, would be three times all the rest of this package.
 */
class HeadWriter {
  #block = new Uint8Array(FIRST_BLOCK);
  #view = new DataView(this.#block.buffer);
  #begin = 0;
  #end = 0;

  scalar(value: string | number | boolean | null): void {
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') this.#number(value);
    else this.#header(value === null ? 0xc0 : value ? 0xc3 : 0xc2, [0, 0, 0], 0);
  }

  arrayHeader(length: number): void {
    this.#header(length < 16 ? 0x90 | length : undefined, [undefined, 0xdc, 0xdd], length);
  }

  mapHeader(length: number): void {
    this.#header(length < 16 ? 0x80 | length : undefined, [undefined, 0xde, 0xdf], length);
  }

  binaryHeader(byteLength: number): void {
    this.#header(undefined, [0xc4, 0xc5, 0xc6], byteLength);
  }

  /** The bytes written since the last call; empty if there are none. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#block.subarray(this.#begin, this.#end);
    this.#begin = this.#end;
    return taken;
  }

  #reserve(count: number): void {
    if (this.#end + count <= this.#block.length) return;
    const pending = this.#block.subarray(this.#begin, this.#end);
    // Doubling keeps long texts linear; pieces handed out earlier keep the old block.
    this.#block = new Uint8Array(Math.max(FIRST_BLOCK, (pending.length + count) * 2));
    this.#block.set(pending);
    this.#view = new DataView(this.#block.buffer);
    this.#begin = 0;
    this.#end = pending.length;
  }

  /** @param size - The number that decides how many bytes `value` needs. */
  #header(
    small: number | undefined,
    [code8, code16, code32]: readonly [number | undefined, number, number],
    value: number,
    size = value,
  ): void {
    this.#reserve(5);
    const at = this.#end;
    if (small !== undefined) {
      this.#view.setUint8(at, small);
      this.#end += 1;
    } else if (code8 !== undefined && size <= 0xff) {
      this.#view.setUint8(at, code8);
      this.#view.setUint8(at + 1, value);
      this.#end += 2;
    } else if (size <= 0xffff) {
      this.#view.setUint8(at, code16);
      this.#view.setUint16(at + 1, value);
      this.#end += 3;
    } else {
      this.#view.setUint8(at, code32);
      this.#view.setUint32(at + 1, value);
      this.#end += 5;
    }
  }

  #number(value: number): void {
    // Twice what a positive number of the same width needs: one bit is the sign.
    const size = value < 0 ? (-1 - value) * 2 : value;
    if (Number.isSafeInteger(value) && size <= 0xffff_ffff) {
      if (value >= 0) this.#header(value < 0x80 ? value : undefined, [0xcc, 0xcd, 0xce], value);
      else this.#header(value >= -32 ? value & 0xff : undefined, [0xd0, 0xd1, 0xd2], value, size);
      return;
    }
    this.#reserve(9);
    const at = this.#end;
    if (Number.isSafeInteger(value)) {
      this.#view.setUint8(at, value < 0 ? 0xd3 : 0xcf);
      this.#view.setBigInt64(at + 1, BigInt(value));
    } else {
      this.#view.setUint8(at, 0xcb);
      this.#view.setFloat64(at + 1, value);
    }
    this.#end += 9;
  }

  #text(value: string): void {
    const bytes = utf8.encode(value);
    this.#header(bytes.length < 32 ? 0xa0 | bytes.length : undefined, [0xd9, 0xda, 0xdb], bytes.length);
    this.#reserve(bytes.length);
    this.#block.set(bytes, this.#end);
    this.#end += bytes.length;
  }
}

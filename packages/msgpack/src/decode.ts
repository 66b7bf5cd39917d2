import { MessagePackError, type MessagePackErrorKind } from './errors.ts';

/** Limits for untrusted bytes. Every default is finite and applies if a limit is undefined. */
export interface DecodeLimits {
  /** Bytes of the whole message. @defaultValue 67108864 (64 MiB) */
  readonly maximumBytes?: number | undefined;
  /** Values at all levels, keys of maps included; decoded, one of a single byte may take a hundred. @defaultValue 1000000 */
  readonly maximumValues?: number | undefined;
  /** Levels of arrays and maps. @defaultValue 64 */
  readonly maximumDepth?: number | undefined;
}

/** An extension other than a timestamp. */
export interface MessagePackExtension {
  readonly type: number;
  readonly data: Uint8Array;
}

/**
 * Decodes one MessagePack value. Binaries are views into `bytes`, integers beyond 2^53 lose precision, timestamps
 * become `Date`, other extensions a {@link MessagePackExtension}.
 *
 * Nothing is allocated for a length that is only claimed, so a few bytes cannot ask for a large array.
 *
 * @throws MessagePackError `too-large`, `too-deep`, `truncated`, `trailing-bytes` or `malformed`.
 */
export function decode(bytes: Uint8Array | ArrayBuffer, limits: DecodeLimits = {}): unknown {
  const message = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  const { maximumBytes = 64 * 1024 * 1024, maximumValues = 1_000_000, maximumDepth = 64 } = limits;
  if (message.length > maximumBytes) {
    const words = `The message has ${message.length} bytes; the limit is ${maximumBytes}.`;
    throw refuse('too-large', words);
  }
  const reader = new Reader(message, maximumValues, maximumDepth);
  const value = reader.value(0);
  const rest = message.length - reader.position;
  if (rest > 0) throw refuse('trailing-bytes', `${rest} bytes follow the value.`);
  return value;
}

// A byte order mark at the beginning of a text is part of it.
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

class Reader {
  position = 0;
  #values = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #maximumValues: number;
  readonly #maximumDepth: number;

  constructor(bytes: Uint8Array, maximumValues: number, maximumDepth: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#maximumValues = maximumValues;
    this.#maximumDepth = maximumDepth;
  }

  /** The next value, which is inside of this many others. */
  value(depth: number): unknown {
    this.#values += 1;
    if (this.#values > this.#maximumValues) {
      throw refuse('too-large', `The message has more than ${this.#maximumValues} values.`);
    }
    const code = this.#view.getUint8(this.#take(1));
    if (code <= 0x7f) return code;
    if (code >= 0xe0) return code - 0x100;
    if (code <= 0x8f) return this.#map(code & 15, depth);
    if (code <= 0x9f) return this.#array(code & 15, depth);
    if (code <= 0xbf) return this.#string(code & 31);
    if (code >= 0xca && code <= 0xd3) return this.#number(code);
    switch (code) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return code === 0xc3;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#binary(this.#length(code - 0xc4));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#extension(this.#length(code - 0xc7));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#string(this.#length(code - 0xd9));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#length(code - 0xdb), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#length(code - 0xdd), depth);
      case 0xc1:
        throw refuse('malformed', `Byte 0xc1 at ${this.position - 1} means nothing in MessagePack.`);
      default:
        return this.#extension(1 << (code - 0xd4));
    }
  }

  /** Advances past the next bytes, after checking that they exist. Returns their position. */
  #take(count: number): number {
    const start = this.position;
    if (count > this.#bytes.length - start) {
      throw refuse('truncated', `The message ends inside a value, after ${this.#bytes.length} bytes.`);
    }
    this.position = start + count;
    return start;
  }

  /** A length of 1, 2 or 4 bytes; `width` is the exponent. */
  #length(width: number): number {
    const at = this.#take(2 ** width);
    if (width === 0) return this.#view.getUint8(at);
    return width === 1 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #number(code: number): number {
    const view = this.#view;
    switch (code) {
      case 0xca:
        return view.getFloat32(this.#take(4));
      case 0xcb:
        return view.getFloat64(this.#take(8));
      case 0xcc:
        return view.getUint8(this.#take(1));
      case 0xcd:
        return view.getUint16(this.#take(2));
      case 0xce:
        return view.getUint32(this.#take(4));
      case 0xcf:
        return Number(view.getBigUint64(this.#take(8)));
      case 0xd0:
        return view.getInt8(this.#take(1));
      case 0xd1:
        return view.getInt16(this.#take(2));
      case 0xd2:
        return view.getInt32(this.#take(4));
      default:
        return Number(view.getBigInt64(this.#take(8)));
    }
  }

  #string(length: number): string {
    const start = this.#take(length);
    try {
      return utf8.decode(this.#bytes.subarray(start, start + length));
    } catch {
      throw refuse('malformed', 'A string is not UTF-8.');
    }
  }

  #binary(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  #extension(length: number): Date | MessagePackExtension {
    const type = this.#view.getInt8(this.#take(1));
    const start = this.position;
    const data = this.#binary(length);
    if (type !== -1) return { type, data };
    const view = this.#view;
    if (length === 4) return new Date(view.getUint32(start) * 1000);
    if (length === 8) {
      const seconds = (view.getUint32(start) & 3) * 2 ** 32 + view.getUint32(start + 4);
      return new Date(seconds * 1000 + Math.floor((view.getUint32(start) >>> 2) / 1e6));
    }
    if (length === 12) {
      return new Date(Number(view.getBigInt64(start + 4)) * 1000 + Math.floor(view.getUint32(start) / 1e6));
    }
    throw refuse('malformed', `A timestamp has ${length} bytes; use 4, 8 or 12.`);
  }

  #array(length: number, depth: number): unknown[] {
    this.#enter(depth);
    const values: unknown[] = [];
    for (let index = 0; index < length; index += 1) values.push(this.value(depth + 1));
    return values;
  }

  #map(length: number, depth: number): Record<string, unknown> {
    this.#enter(depth);
    const fields: Record<string, unknown> = {};
    for (let index = 0; index < length; index += 1) {
      const name = this.value(depth + 1);
      if ((typeof name !== 'string' && typeof name !== 'number') || name === '__proto__') {
        throw refuse('malformed', 'A key of a map must be a string or a number, and not __proto__.');
      }
      fields[name] = this.value(depth + 1);
    }
    return fields;
  }

  #enter(depth: number): void {
    if (depth >= this.#maximumDepth) {
      throw refuse('too-deep', `The value is deeper than ${this.#maximumDepth} levels.`);
    }
  }
}

function refuse(kind: MessagePackErrorKind, message: string): MessagePackError {
  return new MessagePackError(message, kind);
}

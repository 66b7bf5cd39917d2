import { isUtf8 } from 'node:buffer';
import { malformed } from './failure.ts';
import { BodyReader } from './reader.ts';

/**
 * Decodes a MessagePack body exactly as it was written. Binary values are views into `bytes`, not copies.
 *
 * Refused: truncated or trailing bytes, names that are not strings or given twice, extension types, invalid
 * UTF-8, too deep a nesting, too many values.
 *
 * @throws {@link DecodeFailure} with the field and the byte offset
 */
export function decodeMessagePack(bytes: Uint8Array): unknown {
  if (bytes.length > 0) return new MessagePackReader(bytes).read();
  throw malformed('msgpack_invalid', 'The body is empty where a MessagePack map is expected.');
}

/**
 * Not the library's decoder: that one takes names given twice, text that is not UTF-8 and any depth, drops a leading U+FEFF,
 * and says of no fault where it is.
 */
class MessagePackReader extends BodyReader {
  protected readonly format = 'MessagePack';
  protected readonly type = 'msgpack_invalid';
  readonly #bytes: Buffer;
  readonly #view: DataView;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    super();
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.#view = new DataView(buffer, byteOffset, byteLength);
  }

  read(): unknown {
    const value = this.value();
    const left = this.#bytes.length - this.position;
    if (left > 0) this.refuse(`goes on for ${left} bytes after its value`);
    return value;
  }

  protected value(): unknown {
    this.count();
    return this.#next();
  }

  protected placeOf(position: number): string {
    return `byte ${position}`;
  }

  /** A value, or a name: they are written alike. */
  #next(): unknown {
    const type = this.#bytes[this.#take(1)] ?? 0;
    if (type <= 0x7f) return type;
    if (type <= 0x8f) return this.#map(type & 0x0f);
    if (type <= 0x9f) return this.#array(type & 0x0f);
    if (type <= 0xbf) return this.#string(type & 0x1f);
    if (type >= 0xe0) return type - 0x100;
    if (type >= 0xcc && type <= 0xd3) return this.#integer(type);
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return type === 0xc3;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#binary(this.#length(type - 0xc4));
      case 0xca:
        return this.#view.getFloat32(this.#take(4));
      case 0xcb:
        return this.#view.getFloat64(this.#take(8));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#string(this.#length(type - 0xd9));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#length(type - 0xdb));
      case 0xde:
      case 0xdf:
        return this.#map(this.#length(type - 0xdd));
      case 0xc1:
        return this.refuse('has the unused type byte 0xc1');
      default:
        return this.refuse('holds an extension type; write binary as the bin type');
    }
  }

  /** Four types without a sign, of 1, 2, 4 and 8 bytes, and four with one. */
  #integer(type: number): number {
    const bits = 8 << (type & 3);
    const start = this.#take(bits / 8);
    if (bits === 64) {
      return Number(type < 0xd0 ? this.#view.getBigUint64(start) : this.#view.getBigInt64(start));
    }
    const unsigned = this.#bytes.readUIntBE(start, bits / 8);
    return type < 0xd0 ? unsigned : this.#bytes.readIntBE(start, bits / 8);
  }

  /** A length of 1, 2 or 4 bytes. */
  #length(exponent: number): number {
    const bytes = 2 ** exponent;
    return this.#bytes.readUIntBE(this.#take(bytes), bytes);
  }

  #string(length: number): string {
    const start = this.#take(length);
    if (!isUtf8(this.#bytes.subarray(start, this.position))) {
      this.refuse('has a string that is not UTF-8', start);
    }
    return this.#bytes.toString('utf8', start, this.position);
  }

  #binary(length: number): Uint8Array {
    const { buffer, byteOffset } = this.#bytes;
    return new Uint8Array(buffer, byteOffset + this.#take(length), length);
  }

  #array(length: number): unknown[] {
    this.#openList(length);
    const items: unknown[] = [];
    while (items.length < length) {
      this.enter(String(items.length));
      items.push(this.value());
      this.leave();
    }
    return items;
  }

  #map(length: number): Record<string, unknown> {
    this.#openList(length);
    const fields = new Map<string, unknown>();
    while (fields.size < length) {
      const start = this.position;
      const name = this.#next();
      if (typeof name !== 'string') this.refuse('has a name that is not a string', start);
      this.enter(name);
      if (fields.has(name)) this.refuse(`gives \`${name}\` twice`, start);
      fields.set(name, this.value());
      this.leave();
    }
    return Object.fromEntries(fields);
  }

  #openList(length: number): void {
    this.open();
    // Each entry has at least a byte.
    if (length > this.#bytes.length - this.position)
      this.refuse(`declares ${length} entries and ends before`);
  }

  /** The position of bytes that come next, which are then behind. */
  #take(bytes: number): number {
    const start = this.position;
    const end = start + bytes;
    const { length } = this.#bytes;
    if (end > length) this.refuse(`ends after ${length} of at least ${end} bytes`);
    this.position = end;
    return start;
  }
}

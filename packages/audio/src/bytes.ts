/** One array of all parts, with its own memory. @param memory - Memory for the result, if it is large enough. */
export function joinBytes(
  parts: readonly Uint8Array[],
  memory: Uint8Array<ArrayBuffer> = new Uint8Array(0),
): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const joined = memory.length < length ? new Uint8Array(length) : memory.subarray(0, length);
  let position = 0;
  for (const part of parts) {
    joined.set(part, position);
    position += part.length;
  }
  return joined;
}

/** A copy with its own memory, so that it keeps nothing else alive. */
export function copyBytes(bytes: Uint8Array, start?: number, end?: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.subarray(start, end));
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function hasText(bytes: Uint8Array, position: number, text: string): boolean {
  if (position + text.length > bytes.length) return false;
  for (let index = 0; index < text.length; index++) {
    if (bytes[position + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** The bytes of a text without accents. */
export function ascii(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** A checksum over bytes, most significant bit first. */
export type Checksum = (bytes: Uint8Array, from?: number, to?: number, initial?: number) => number;

/** Makes the checksum function of a polynomial; its table is computed at the first call. */
export function createChecksum(bits: 8 | 16 | 32, polynomial: number): Checksum {
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  const shift = bits - 8;
  let table: Uint32Array | undefined;
  const entryOf = (index: number): number => {
    let value = index << shift;
    for (let bit = 0; bit < 8; bit++)
      value = ((value >>> (bits - 1)) & 1 ? (value << 1) ^ polynomial : value << 1) & mask;
    return value;
  };
  return (bytes, from = 0, to = bytes.length, initial = 0) => {
    table ??= Uint32Array.from({ length: 256 }, (_, index) => entryOf(index));
    let value = initial;
    for (let index = from; index < to; index++) {
      value =
        ((value << 8) ^ (table[((value >>> shift) ^ (bytes[index] as number)) & 0xff] as number)) & mask;
    }
    return value >>> 0;
  };
}

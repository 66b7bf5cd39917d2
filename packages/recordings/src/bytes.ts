/**
 * Bytes that arrive in pieces and leave at the front. Its generators yield while they wait for a piece. Its memory is reused,
 * because garbage of a whole recording would pile up: taken bytes are valid until the next piece.
 */
export class ByteQueue {
  #memory: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  /** Bytes of the recording before the current ones. */
  position = 0;
  /** True once no more pieces come. */
  isEnded = false;

  push(piece: Uint8Array): void {
    const bytes = this.peek();
    const end = bytes.length + piece.length;
    if (this.#memory.length < end) this.#memory = new Uint8Array(2 * end);
    this.#memory.set(bytes);
    this.#memory.set(piece, bytes.length);
    [this.#start, this.#end] = [0, end];
  }

  get length(): number {
    return this.#end - this.#start;
  }

  /** The current bytes, without taking them. */
  peek(): Uint8Array {
    return this.#memory.subarray(this.#start, this.#end);
  }

  take(count: number): Uint8Array {
    const taken = this.#memory.subarray(this.#start, Math.min(this.#end, this.#start + count));
    this.#start += taken.length;
    this.position += taken.length;
    return taken;
  }

  /** Waits for this many bytes. @returns false if the recording ends earlier */
  *has(count: number): Generator<undefined, boolean> {
    while (this.length < count && !this.isEnded) yield;
    return this.length >= count;
  }

  *skip(count: number): Generator<undefined, void> {
    for (let rest = count; rest > 0 && (yield* this.has(1)); ) rest -= this.take(rest).length;
  }
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

export function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** @param memory - Memory for the result, if it is large enough. */
export function join(
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

/** A checksum over bytes, most significant bit first. */
export type Checksum = (bytes: Uint8Array, from?: number, to?: number, initial?: number) => number;

/** Makes the checksum function of a polynomial; its table is computed once. */
export function createChecksum(bits: 8 | 16 | 32, polynomial: number): Checksum {
  const top = 2 ** (bits - 1);
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  const shift = bits - 8;
  const table = Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index << shift;
    for (let bit = 0; bit < 8; bit++)
      value = ((value & top) === 0 ? value << 1 : (value << 1) ^ polynomial) & mask;
    return value;
  });
  return (bytes, from = 0, to = bytes.length, initial = 0) => {
    let value = initial;
    for (let index = from; index < to; index++) {
      value =
        ((value << 8) ^ (table[((value >>> shift) ^ (bytes[index] as number)) & 0xff] as number)) & mask;
    }
    return value >>> 0;
  };
}

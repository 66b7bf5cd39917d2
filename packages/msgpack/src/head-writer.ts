const FIRST_BLOCK = 256;
const utf8 = /* @__PURE__ */ new TextEncoder();

/**
 * Collects what is between binaries; the binaries themselves are not copied. The values of a request are of few kinds:
 * the encoder of a library, with its timestamps and extensions, would be three times all the rest of this package.
 */
export class HeadWriter {
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

  /** @param size - What decides how many bytes `value` needs. */
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

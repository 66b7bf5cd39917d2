/**
 * Collects what is between binaries; the binaries themselves are not copied. The values of a request are of few kinds:
 * the encoder of a library, with its timestamps and extensions, would be three times all the rest of this package.
 */
export interface HeadWriter {
  scalar(value: string | number | boolean | null): void;
  arrayHeader(length: number): void;
  mapHeader(length: number): void;
  binaryHeader(byteLength: number): void;
  /** What was written since the last call; empty when nothing was. */
  take(): Uint8Array<ArrayBuffer>;
}

const FIRST_BLOCK = 1024;

export function createHeadWriter(): HeadWriter {
  const utf8 = new TextEncoder();
  let block = new Uint8Array(FIRST_BLOCK);
  let begin = 0;
  let end = 0;

  function reserve(count: number): void {
    if (end + count <= block.length) return;
    const pending = block.subarray(begin, end);
    // Doubling keeps long texts linear; pieces handed out earlier keep the old block.
    block = new Uint8Array(Math.max(FIRST_BLOCK, (pending.length + count) * 2));
    block.set(pending);
    begin = 0;
    end = pending.length;
  }

  /** @param size - What decides how many bytes `value` needs. */
  function header(
    small: number | undefined,
    [code8, code16, code32]: readonly [number | undefined, number, number],
    value: number,
    size = value,
  ): void {
    reserve(5);
    const view = new DataView(block.buffer, end);
    if (small !== undefined) {
      view.setUint8(0, small);
      end += 1;
    } else if (code8 !== undefined && size <= 0xff) {
      view.setUint8(0, code8);
      view.setUint8(1, value);
      end += 2;
    } else if (size <= 0xffff) {
      view.setUint8(0, code16);
      view.setUint16(1, value);
      end += 3;
    } else {
      view.setUint8(0, code32);
      view.setUint32(1, value);
      end += 5;
    }
  }

  function number(value: number): void {
    // Twice what a positive number of the same width needs: one bit is the sign.
    const size = value < 0 ? (-1 - value) * 2 : value;
    if (Number.isSafeInteger(value) && size <= 0xffff_ffff) {
      if (value >= 0) header(value < 0x80 ? value : undefined, [0xcc, 0xcd, 0xce], value);
      else header(value >= -32 ? value & 0xff : undefined, [0xd0, 0xd1, 0xd2], value, size);
      return;
    }
    reserve(9);
    const view = new DataView(block.buffer, end);
    if (Number.isSafeInteger(value)) {
      view.setUint8(0, value < 0 ? 0xd3 : 0xcf);
      view.setBigInt64(1, BigInt(value));
    } else {
      view.setUint8(0, 0xcb);
      view.setFloat64(1, value);
    }
    end += 9;
  }

  function text(value: string): void {
    const bytes = utf8.encode(value);
    header(bytes.length < 32 ? 0xa0 | bytes.length : undefined, [0xd9, 0xda, 0xdb], bytes.length);
    reserve(bytes.length);
    block.set(bytes, end);
    end += bytes.length;
  }

  return {
    scalar(value) {
      if (typeof value === 'string') text(value);
      else if (typeof value === 'number') number(value);
      else header(value === null ? 0xc0 : value ? 0xc3 : 0xc2, [0, 0, 0], 0);
    },
    arrayHeader: (length) => header(length < 16 ? 0x90 | length : undefined, [undefined, 0xdc, 0xdd], length),
    mapHeader: (length) => header(length < 16 ? 0x80 | length : undefined, [undefined, 0xde, 0xdf], length),
    binaryHeader: (byteLength) => header(undefined, [0xc4, 0xc5, 0xc6], byteLength),
    take() {
      const taken = block.subarray(begin, end);
      begin = end;
      return taken;
    },
  };
}

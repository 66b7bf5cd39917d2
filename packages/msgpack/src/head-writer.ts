import { Encoder } from '@msgpack/msgpack';

/** Collects what is between binaries; the binaries themselves are not copied. */
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
  const scalars = new Encoder();
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

  function header(small: number | undefined, codes: readonly (number | undefined)[], length: number): void {
    reserve(5);
    const [code8, code16, code32] = codes;
    const view = new DataView(block.buffer, end);
    if (small !== undefined) {
      view.setUint8(0, small);
      end += 1;
    } else if (code8 !== undefined && length <= 0xff) {
      view.setUint8(0, code8);
      view.setUint8(1, length);
      end += 2;
    } else if (code16 !== undefined && length <= 0xffff) {
      view.setUint8(0, code16);
      view.setUint16(1, length);
      end += 3;
    } else {
      view.setUint8(0, code32 ?? 0);
      view.setUint32(1, length);
      end += 5;
    }
  }

  return {
    scalar(value) {
      const bytes = scalars.encodeSharedRef(value);
      reserve(bytes.length);
      block.set(bytes, end);
      end += bytes.length;
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

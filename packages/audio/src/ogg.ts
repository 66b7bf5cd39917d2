import { copyBytes, hasText, joinBytes, viewOf } from './bytes.ts';

const POLYNOMIAL = 0x04c1_1db7;

let cachedTable: Uint32Array | undefined;

/** The checksum of an Ogg page, its own four bytes at `checksumPosition` counted as zero. */
export function oggChecksum(page: Uint8Array, checksumPosition: number): number {
  const table = checksumTable();
  let checksum = 0;
  for (let index = 0; index < page.length; index++) {
    const isChecksum = index >= checksumPosition && index < checksumPosition + 4;
    const byte = isChecksum ? 0 : (page[index] as number);
    checksum = (checksum << 8) ^ (table[(checksum >>> 24) ^ byte] as number);
  }
  return checksum >>> 0;
}

function checksumTable(): Uint32Array {
  if (cachedTable !== undefined) return cachedTable;
  const table = new Uint32Array(256);
  for (let index = 0; index < 256; index++) {
    let value = index << 24;
    for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ POLYNOMIAL : value << 1;
    table[index] = value;
  }
  cachedTable = table;
  return table;
}

/** A part of a packet, as a page holds it. */
export interface OggPacketPart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** False where the packet goes on in the next page. */
  readonly isComplete: boolean;
}

/** One page of an Ogg file whose checksum is right. */
export interface OggPage {
  readonly serialNumber: number;
  readonly sequenceNumber: number;
  /** Position at the end of the last packet that ends here, in the codec's unit; undefined where none ends. */
  readonly granulePosition: number | undefined;
  /** The page begins in the middle of a packet. */
  readonly isContinued: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly packets: readonly OggPacketPart[];
}

/** Finds the pages of an Ogg file, whatever pieces it arrives in. Holds back less than one page (65 307 bytes). */
export interface OggPageWalker {
  /** The pages that these bytes complete. Damaged pages are skipped. */
  push(bytes: Uint8Array): OggPage[];
  /** Bytes so far that belong to no page, or to a damaged one. */
  readonly skippedBytes: number;
  /** Bytes of a page that has begun. At the end of a file, anything but 0 means that it was cut. */
  readonly pendingBytes: number;
}

const CAPTURE = 'OggS';
const FIXED_HEADER_BYTES = 27;
const CHECKSUM_POSITION = 22;

/** Creates a reader of Ogg pages for bytes that arrive in pieces of any size. */
export function createOggPageWalker(): OggPageWalker {
  let pending: Uint8Array = new Uint8Array(0);
  let skippedBytes = 0;
  return {
    push(bytes) {
      pending = joinBytes(pending, bytes);
      const pages: OggPage[] = [];
      let position = 0;
      for (;;) {
        const start = findCapture(pending, position);
        skippedBytes += start - position;
        position = start;
        const size = pageBytes(pending, position);
        if (size === undefined || position + size > pending.length) break;
        const page = pending.subarray(position, position + size);
        if (oggChecksum(page, CHECKSUM_POSITION) === viewOf(page).getUint32(CHECKSUM_POSITION, true)) {
          pages.push(readPage(page));
          position += size;
        } else {
          // Another page may begin inside this one, so the search continues one byte later.
          skippedBytes += 1;
          position += 1;
        }
      }
      pending = copyBytes(pending, position);
      return pages;
    },
    get skippedBytes() {
      return skippedBytes;
    },
    get pendingBytes() {
      return pending.length;
    },
  };
}

/** Position of the next page, or of what may become one at the end. */
function findCapture(bytes: Uint8Array, from: number): number {
  let position = bytes.indexOf(CAPTURE.charCodeAt(0), from);
  while (position !== -1) {
    const available = Math.min(CAPTURE.length, bytes.length - position);
    if (hasText(bytes, position, CAPTURE.slice(0, available))) return position;
    position = bytes.indexOf(CAPTURE.charCodeAt(0), position + 1);
  }
  return bytes.length;
}

function pageBytes(bytes: Uint8Array, position: number): number | undefined {
  if (position + FIXED_HEADER_BYTES > bytes.length) return undefined;
  const segments = bytes[position + FIXED_HEADER_BYTES - 1] ?? 0;
  const table = bytes.subarray(position + FIXED_HEADER_BYTES, position + FIXED_HEADER_BYTES + segments);
  if (table.length < segments) return undefined;
  return FIXED_HEADER_BYTES + segments + table.reduce((sum, size) => sum + size, 0);
}

function readPage(page: Uint8Array): OggPage {
  const view = viewOf(page);
  const flags = view.getUint8(5);
  const low = view.getUint32(6, true);
  const high = view.getInt32(10, true);
  const isWithoutPosition = low === 0xffff_ffff && high === -1;
  return {
    serialNumber: view.getUint32(14, true),
    sequenceNumber: view.getUint32(18, true),
    granulePosition: isWithoutPosition ? undefined : high * 0x1_0000_0000 + low,
    isContinued: (flags & 1) !== 0,
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    packets: readPackets(page),
  };
}

function readPackets(page: Uint8Array): OggPacketPart[] {
  const segments = page[FIXED_HEADER_BYTES - 1] ?? 0;
  const packets: OggPacketPart[] = [];
  let start = FIXED_HEADER_BYTES + segments;
  let end = start;
  for (let index = 0; index < segments; index++) {
    const size = page[FIXED_HEADER_BYTES + index] ?? 0;
    end += size;
    // A segment of 255 bytes says that the packet goes on.
    const isComplete = size < 255;
    if (isComplete || index === segments - 1) {
      packets.push({ bytes: copyBytes(page, start, end), isComplete });
      start = end;
    }
  }
  return packets;
}

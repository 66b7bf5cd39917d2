import { ascii, copyBytes, createChecksum, hasText, joinBytes, viewOf } from './bytes.ts';

/** One page of an Ogg file whose checksum is right. */
export interface OggPage {
  readonly serialNumber: number;
  readonly sequenceNumber: number;
  /** Position at the end of the last packet that ends here, in the codec's unit; undefined where none ends. */
  readonly granulePosition: number | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** True if pages between the one before and this one are missing. A packet that they held a part of is left out. */
  readonly isAfterLoss: boolean;
  /** The packets that end on this page, with what earlier pages hold of them. */
  readonly packets: readonly Uint8Array<ArrayBuffer>[];
}

/** Finds the pages of an Ogg file, whatever pieces it arrives in. Holds back less than one page (65 307 bytes) and one packet. */
export interface OggPageWalker {
  /** The pages that these bytes complete. Damaged pages are skipped. */
  push(bytes: Uint8Array): OggPage[];
  /** Bytes so far that belong to no page, or to a damaged one. */
  readonly skippedBytes: number;
  /** Bytes of a page or a packet that has begun. At the end of a file, anything but 0 means that it was cut. */
  readonly pendingBytes: number;
}

const captureText = 'OggS';
const fixedHeaderBytes = 27;
const checksumPosition = 22;
const checksum = /* @__PURE__ */ createChecksum(32, 0x04c1_1db7);
const continuesPacket = 1;
const beginsStream = 2;
const endsStream = 4;

/** The parts of a packet that goes on in the next page of its stream. */
interface StreamState {
  readonly sequenceNumber: number;
  readonly unfinished: readonly Uint8Array[];
}

/** Creates a reader of Ogg pages for bytes that arrive in pieces of any size. */
export function createOggPageWalker(): OggPageWalker {
  let pending: Uint8Array = new Uint8Array(0);
  let skippedBytes = 0;
  const streams = new Map<number, StreamState>();

  function readPage(page: Uint8Array, granulePosition: number | undefined): OggPage {
    const view = viewOf(page);
    const flags = view.getUint8(5);
    const [serialNumber, sequenceNumber] = [view.getUint32(14, true), view.getUint32(18, true)];
    const before = (flags & beginsStream) === 0 ? streams.get(serialNumber) : undefined;
    const isAfterLoss = before !== undefined && sequenceNumber !== (before.sequenceNumber + 1) >>> 0;
    const isContinued = (flags & continuesPacket) !== 0;
    let unfinished = isContinued && !isAfterLoss ? [...(before?.unfinished ?? [])] : [];
    // The rest of a packet whose beginning was lost is no packet.
    let isLost = isContinued && unfinished.length === 0;
    const packets: Uint8Array<ArrayBuffer>[] = [];
    for (const { bytes, isComplete } of partsOf(page)) {
      if (!isLost) unfinished.push(bytes);
      if (!isComplete) continue;
      if (!isLost) packets.push(joinBytes(unfinished));
      unfinished = [];
      isLost = false;
    }
    const isLast = (flags & endsStream) !== 0;
    streams.set(serialNumber, { sequenceNumber, unfinished });
    return {
      ...{ serialNumber, sequenceNumber, granulePosition, isLast, isAfterLoss, packets },
      isFirst: (flags & beginsStream) !== 0,
    };
  }

  return {
    push(bytes) {
      pending = joinBytes([pending, bytes]);
      const pages: OggPage[] = [];
      let position = 0;
      for (;;) {
        const start = findCapture(pending, position);
        skippedBytes += start - position;
        position = start;
        const head = readOggPageHead(pending, position);
        if (head === undefined || position + head.pageBytes > pending.length) break;
        const page = pending.subarray(position, position + head.pageBytes);
        if (checksumOf(page) === viewOf(page).getUint32(checksumPosition, true)) {
          pages.push(readPage(page, head.granulePosition));
          position += head.pageBytes;
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
      const parts = [...streams.values()].flatMap(({ unfinished }) => unfinished);
      return pending.length + parts.reduce((sum, { length }) => sum + length, 0);
    },
  };
}

/** The checksum of a page, its own four bytes counted as zero. */
function checksumOf(page: Uint8Array): number {
  const head = checksum(page, 0, checksumPosition);
  return checksum(page, checksumPosition + 4, page.length, checksum(new Uint8Array(4), 0, 4, head));
}

/** Position of the next page, or of what may become one at the end. */
function findCapture(bytes: Uint8Array, from: number): number {
  let position = bytes.indexOf(captureText.charCodeAt(0), from);
  while (position !== -1) {
    const available = Math.min(captureText.length, bytes.length - position);
    if (hasText(bytes, position, captureText.slice(0, available))) return position;
    position = bytes.indexOf(captureText.charCodeAt(0), position + 1);
  }
  return bytes.length;
}

/** The size of a page and of its packets, and where its packets end. */
export interface OggPageHead extends Pick<OggPage, 'granulePosition'> {
  readonly pageBytes: number;
  readonly packetBytes: number;
}

/** @returns undefined if no page begins here, or not all of its head is there; the checksum is not looked at */
export function readOggPageHead(bytes: Uint8Array, position: number): OggPageHead | undefined {
  if (!hasText(bytes, position, captureText)) return undefined;
  const start = position + fixedHeaderBytes;
  const segments = bytes[start - 1] ?? 256;
  const table = bytes.subarray(start, start + segments);
  if (table.length < segments) return undefined;
  const packetBytes = table.reduce((sum, size) => sum + size, 0);
  const view = viewOf(bytes);
  const [low, high] = [view.getUint32(position + 6, true), view.getInt32(position + 10, true)];
  const granulePosition = low === 0xffff_ffff && high === -1 ? undefined : high * 0x1_0000_0000 + low;
  return { granulePosition, packetBytes, pageBytes: fixedHeaderBytes + segments + packetBytes };
}

function* partsOf(page: Uint8Array): Generator<{ readonly bytes: Uint8Array; readonly isComplete: boolean }> {
  const segments = page.subarray(fixedHeaderBytes, fixedHeaderBytes + (page[fixedHeaderBytes - 1] ?? 0));
  let start = fixedHeaderBytes + segments.length;
  let end = start;
  for (const [index, size] of segments.entries()) {
    end += size;
    // A segment of 255 bytes says that the packet goes on.
    const isComplete = size < 255;
    if (!isComplete && index < segments.length - 1) continue;
    yield { bytes: copyBytes(page, start, end), isComplete };
    start = end;
  }
}

/** Writes the pages of one stream (RFC 3533). */
export class OggWriter {
  readonly #serialNumber: number;
  #pages = 0;

  /** @param serialNumber - the number of the stream, unique within a file */
  constructor(serialNumber: number) {
    this.#serialNumber = serialNumber;
  }

  /** The pages before the sound: the first header has its own, the others as many as they need. */
  headers([first = new Uint8Array(0), ...others]: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
    const pages = [this.page([first], 0)];
    const lengths = others.flatMap(segmentsOf);
    const content = joinBytes(others);
    let position = 0;
    for (let start = 0; start < lengths.length; start += 255) {
      const segments = lengths.slice(start, start + 255);
      const end = position + segments.reduce((sum, length) => sum + length, 0);
      const granule = segments.some((length) => length < 255) ? 0 : -1;
      const flags = lengths[start - 1] === 255 ? continuesPacket : 0;
      pages.push(this.#write(segments, content.subarray(position, end), granule, flags));
      position = end;
    }
    return joinBytes(pages);
  }

  /**
   * A page of whole packets.
   *
   * @param granule - position at the end of the last packet, in the codec's unit
   */
  page(packets: readonly Uint8Array[], granule: number, isLast = false): Uint8Array<ArrayBuffer> {
    const flags = (this.#pages === 0 ? beginsStream : 0) | (isLast ? endsStream : 0);
    return this.#write(packets.flatMap(segmentsOf), joinBytes(packets), granule, flags);
  }

  #write(segments: readonly number[], content: Uint8Array, granule: number, flags: number) {
    const page = joinBytes([new Uint8Array(fixedHeaderBytes), Uint8Array.from(segments), content]);
    const view = viewOf(page);
    page.set(ascii(captureText));
    page[5] = flags;
    view.setBigInt64(6, BigInt(granule), true);
    view.setUint32(14, this.#serialNumber, true);
    view.setUint32(18, this.#pages, true);
    page[fixedHeaderBytes - 1] = segments.length;
    view.setUint32(checksumPosition, checksum(page), true);
    this.#pages += 1;
    return page;
  }
}

/** A segment of 255 bytes continues; the first shorter one ends the packet. */
function segmentsOf({ length }: Uint8Array): number[] {
  return [...new Array<number>(Math.floor(length / 255)).fill(255), length % 255];
}

/** A header without comments that names the writer of the stream. */
export function writeOggComments(signature: string, vendor: string): Uint8Array<ArrayBuffer> {
  const length = new Uint8Array(4);
  viewOf(length).setUint32(0, vendor.length, true);
  return joinBytes([ascii(signature), length, ascii(vendor), new Uint8Array(4)]);
}

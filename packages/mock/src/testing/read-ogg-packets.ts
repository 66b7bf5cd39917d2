/** What is in an Ogg stream of Opus. */
export interface OggPackets {
  readonly packets: readonly Uint8Array[];
  readonly channels: number;
  readonly preSkip: number;
  /** Position of the last sample. */
  readonly end: number;
}

const firstFlag = 2;
const lastFlag = 4;

/** Reads Ogg pages one after the other. @throws when a checksum, a number or the end is wrong */
export function readOggPackets(bytes: Buffer): OggPackets {
  const packets: Buffer[] = [];
  let number = 0;
  let end = 0;
  let flags = firstFlag;
  for (let offset = 0; offset < bytes.length; number += 1) {
    const count = bytes.readUInt8(offset + 26);
    const lacing = bytes.subarray(offset + 27, offset + 27 + count);
    const start = offset + 27 + count;
    const length = lacing.reduce((sum, each) => sum + each, 0);
    const page = bytes.subarray(offset, start + length);
    if (bytes.toString('latin1', offset, offset + 4) !== 'OggS') throw new Error(`no page at ${offset}`);
    if (bytes.readUInt32LE(offset + 18) !== number) throw new Error('a page out of order');
    if (plainChecksum(page) !== page.readUInt32LE(22)) throw new Error('a wrong checksum');
    flags = bytes.readUInt8(offset + 5);
    if ((number === 0) !== ((flags & firstFlag) !== 0)) throw new Error('not the first page');
    end = Number(bytes.readBigInt64LE(offset + 6));
    packets.push(...packetsOf(bytes.subarray(start, start + length), lacing));
    offset = start + length;
  }
  if ((flags & lastFlag) === 0) throw new Error('the stream has no end');
  const [head, tags, ...rest] = packets;
  if (head?.toString('latin1', 0, 8) !== 'OpusHead' || tags?.toString('latin1', 0, 8) !== 'OpusTags')
    throw new Error('no head of Opus');
  return { packets: rest, channels: head.readUInt8(9), preSkip: head.readUInt16LE(10), end };
}

function packetsOf(body: Buffer, lacing: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  let start = 0;
  let length = 0;
  for (const each of lacing) {
    length += each;
    if (each === 255) continue;
    packets.push(body.subarray(start, start + length));
    start += length;
    length = 0;
  }
  return packets;
}

/** Bit by bit, as RFC 3533 says it, and not by a table as the writer does. */
function plainChecksum(page: Uint8Array): number {
  let value = 0;
  page.forEach((byte, index) => {
    value ^= (index >= 22 && index < 26 ? 0 : byte) << 24;
    for (let bit = 0; bit < 8; bit += 1)
      value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  });
  return value >>> 0;
}

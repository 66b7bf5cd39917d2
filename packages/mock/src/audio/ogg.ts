/** What stands in the head of a page. */
export interface PageOptions {
  /** Position of the last sample that ends on this page. */
  readonly granule: number;
  readonly first?: boolean;
  readonly last?: boolean;
}

/** Writes the pages of one Ogg stream. */
export interface OggWriter {
  /** A page with these packets, all of them whole. */
  page(packets: readonly Uint8Array[], options: PageOptions): Uint8Array;
}

/** The number of a stream must differ only from others in the same file, and there are none. */
const serialNumber = 0x5eec;

/** Makes a writer that numbers its pages. */
export function createOggWriter(): OggWriter {
  let number = 0;
  return {
    page(packets, { granule, first = false, last = false }) {
      const lacing = packets.flatMap((packet) => [
        ...Array.from({ length: Math.floor(packet.length / 255) }, () => 255),
        packet.length % 255,
      ]);
      const head = Buffer.alloc(27 + lacing.length);
      head.write('OggS', 0, 'latin1');
      head.writeUInt8((first ? 2 : 0) | (last ? 4 : 0), 5);
      head.writeBigInt64LE(BigInt(granule), 6);
      head.writeUInt32LE(serialNumber, 14);
      head.writeUInt32LE(number, 18);
      head.writeUInt8(lacing.length, 26);
      head.set(lacing, 27);
      number += 1;
      const page = Buffer.concat([head, ...packets]);
      page.writeUInt32LE(checksum(page), 22);
      return page;
    },
  };
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value >>> 0;
});

/** The CRC of a page whose own field for it is still zero. */
function checksum(page: Uint8Array): number {
  let value = 0;
  for (const byte of page) value = ((value << 8) ^ (table[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return value;
}

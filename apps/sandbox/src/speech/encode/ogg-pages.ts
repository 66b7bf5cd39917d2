const headerBytes = 27;
const longestSegment = 255;

const checksumTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

export interface OggPage {
  readonly packets: readonly Uint8Array[];
  /** Samples at 48 kHz up to the end of the last packet, pre-skip included. */
  readonly granule: number;
  readonly first?: boolean;
  readonly last?: boolean;
}

/** Writes the pages of one logical Ogg stream (RFC 3533); no packet runs over the end of its page. */
export class OggWriter {
  readonly #serial: number;
  #sequence = 0;

  constructor(serial: number) {
    this.#serial = serial;
  }

  page({ packets, granule, first = false, last = false }: OggPage): Uint8Array {
    const lacing = packets.flatMap(({ length }) => [
      ...new Array<number>(Math.floor(length / longestSegment)).fill(longestSegment),
      length % longestSegment,
    ]);
    const bodyLength = packets.reduce((sum, packet) => sum + packet.length, 0);
    const bytes = new Uint8Array(headerBytes + lacing.length + bodyLength);
    const view = new DataView(bytes.buffer);
    bytes.set(new TextEncoder().encode('OggS'));
    bytes[5] = (first ? 2 : 0) | (last ? 4 : 0);
    view.setBigInt64(6, BigInt(granule), true);
    view.setUint32(14, this.#serial, true);
    view.setUint32(18, this.#sequence, true);
    bytes[26] = lacing.length;
    bytes.set(lacing, headerBytes);
    let offset = headerBytes + lacing.length;
    for (const packet of packets) {
      bytes.set(packet, offset);
      offset += packet.length;
    }
    view.setUint32(22, checksum(bytes), true);
    this.#sequence += 1;
    return bytes;
  }
}

/** The checksum of a page whose checksum field is zero. */
export function checksum(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes)
    value = ((value << 8) ^ (checksumTable[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return value;
}

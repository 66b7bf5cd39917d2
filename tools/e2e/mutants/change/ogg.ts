/** A page of an Ogg stream, as it lies in the bytes. */
export interface OggPage {
  readonly at: number;
  readonly length: number;
  /** Where the packets begin, within the page. */
  readonly bodyAt: number;
}

/** Where each page begins, and how long it is. */
export function oggPages(ogg: Buffer): OggPage[] {
  const pages: OggPage[] = [];
  for (let at = 0; at < ogg.length; ) {
    if (ogg.toString('latin1', at, at + 4) !== 'OggS') throw new Error(`there is no page at byte ${at}`);
    const count = ogg.readUInt8(at + 26);
    const lacing = ogg.subarray(at + 27, at + 27 + count);
    const bodyAt = 27 + count;
    const length = bodyAt + lacing.reduce((sum, size) => sum + size, 0);
    pages.push({ at, length, bodyAt });
    at += length;
  }
  return pages;
}

/** Changes pages, and gives each its right checksum again. */
export function withPages(
  ogg: Buffer,
  change: (page: Buffer, index: number, bodyAt: number) => void,
): Buffer {
  const changed = Buffer.from(ogg);
  for (const [index, { at, length, bodyAt }] of oggPages(ogg).entries()) {
    const page = changed.subarray(at, at + length);
    change(page, index, bodyAt);
    page.writeUInt32LE(0, 22);
    page.writeUInt32LE(checksum(page), 22);
  }
  return changed;
}

/** The head says two channels. */
export function stereoOgg(ogg: Buffer): Buffer {
  return withPages(ogg, (page, index, bodyAt) => {
    if (index === 0) page.writeUInt8(2, bodyAt + 9);
  });
}

/** Every packet of sound is one that decodes to silence, padded to its old size by the rules of code 3 (RFC 6716, 3.2.5). */
export function silentOgg(ogg: Buffer): Buffer {
  return withPages(ogg, (page, index, bodyAt) => {
    if (index < 2) return;
    let at = bodyAt;
    let size = 0;
    for (const lace of page.subarray(27, bodyAt)) {
      size += lace;
      if (lace === 255) continue;
      silence(page.subarray(at, at + size));
      at += size;
      size = 0;
    }
  });
}

/** CELT, 20 ms, one channel, one frame of the three bytes that are silence; the rest is padding. */
function silence(packet: Buffer): void {
  const configuration = packet.readUInt8(0) & 0xfc;
  const room = packet.length;
  if (room < 3) return;
  packet.fill(0);
  // The shortest packets have no room for padding: an empty frame is a lost one, which decodes to silence as well.
  packet.writeUInt8(configuration | 3, 0);
  packet.writeUInt8(0x41, 1);
  let padding = room - 3;
  let at = 2;
  while (padding >= 255) {
    packet.writeUInt8(255, at++);
    padding -= 255;
  }
  packet.writeUInt8(Math.max(0, padding), at);
}

const table = Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value | 0;
});

function checksum(page: Buffer): number {
  let value = 0;
  for (const byte of page) value = (value << 8) ^ (table[((value >>> 24) ^ byte) & 0xff] ?? 0);
  return value >>> 0;
}

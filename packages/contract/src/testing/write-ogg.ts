import { checkSumOf } from '../audio/ogg-pages.ts';

const preSkip = 312;

/** Opus packets of 20 ms as one Ogg file (RFC 7845), ten packets a page. */
export function writeOgg(packets: readonly Uint8Array[], samples: number, channels: number): Uint8Array {
  const head = Buffer.from([
    ...Buffer.from('OpusHead'),
    1,
    channels,
    preSkip & 255,
    preSkip >> 8,
    0x80,
    0xbb,
    0,
    0,
    0,
    0,
    0,
  ]);
  const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)]);
  const pages = [writePage([head], 0, 0n, 2), writePage([tags], 1, 0n, 0)];
  for (let start = 0; start < packets.length; start += 10) {
    const own = packets.slice(start, start + 10);
    const isLast = start + 10 >= packets.length;
    const granule = isLast ? samples : (start + own.length) * 960;
    pages.push(writePage(own, pages.length, BigInt(granule), isLast ? 4 : 0));
  }
  return Buffer.concat(pages);
}

function writePage(
  packets: readonly Uint8Array[],
  number: number,
  granule: bigint,
  flags: number,
): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  const page = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(23), Buffer.from(lacing), ...packets]);
  page[5] = flags;
  page.writeBigInt64LE(granule, 6);
  page.writeUInt32LE(7, 14);
  page.writeUInt32LE(number, 18);
  page[26] = lacing.length;
  page.writeUInt32LE(checkSumOf(page), 22);
  return page;
}

import { oggChecksum } from '@speech-api/server/audio';

export interface OggPageRead {
  readonly first: boolean;
  readonly last: boolean;
  readonly granule: number;
  readonly sequence: number;
  readonly packets: readonly Uint8Array[];
}

/** Reads Ogg pages and checks what binds them: checksums, numbers, and packets that end with their page. */
export function readOgg(bytes: Uint8Array): OggPageRead[] {
  const pages: OggPageRead[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
    if (new TextDecoder().decode(bytes.subarray(offset, offset + 4)) !== 'OggS')
      throw new Error('no page here');
    const segments = bytes.subarray(offset + 27, offset + 27 + view.getUint8(26));
    const bodyStart = offset + 27 + segments.length;
    const packets: Uint8Array[] = [];
    let end = bodyStart;
    let start = bodyStart;
    for (const segment of segments) {
      end += segment;
      if (segment === 255) continue;
      packets.push(bytes.subarray(start, end));
      start = end;
    }
    if (start !== end) throw new Error('a packet runs over the end of its page');
    const page = new Uint8Array(bytes.subarray(offset, end));
    page.fill(0, 22, 26);
    if (oggChecksum(page) !== view.getUint32(22, true)) throw new Error('a wrong checksum');
    if (view.getUint32(18, true) !== pages.length) throw new Error('a page out of order');
    pages.push({
      first: (view.getUint8(5) & 2) !== 0,
      last: (view.getUint8(5) & 4) !== 0,
      granule: Number(view.getBigInt64(6, true)),
      sequence: view.getUint32(18, true),
      packets,
    });
    offset = end;
  }
  return pages;
}

import { viewOf } from '../bytes.ts';
import { oggChecksum } from '../ogg.ts';

export interface PageFields {
  readonly flags?: number;
  readonly granule?: number;
  readonly serial?: number;
  readonly sequence: number;
  readonly packets: readonly Uint8Array[];
  /** The last packet goes on in the next page: its final lacing value is left out. */
  readonly isOpenEnded?: boolean;
}

/** One Ogg page, as RFC 3533 lays it out. */
export function oggPage(fields: PageFields): Uint8Array<ArrayBuffer> {
  const { flags = 0, granule = 0, serial = 7, sequence, packets, isOpenEnded = false } = fields;
  const lacing = packets.flatMap((packet, index) => {
    const full = Array.from({ length: Math.floor(packet.length / 255) }, () => 255);
    return isOpenEnded && index === packets.length - 1 ? full : [...full, packet.length % 255];
  });
  const body = packets.flatMap((packet) => [...packet]);
  const page = new Uint8Array([...new Uint8Array(27), ...lacing, ...body]);
  const view = viewOf(page);
  page.set([79, 103, 103, 83, 0, flags]);
  view.setBigInt64(6, BigInt(granule), true);
  view.setUint32(14, serial, true);
  view.setUint32(18, sequence, true);
  page[26] = lacing.length;
  view.setUint32(22, oggChecksum(page, 22), true);
  return page;
}

/** The two pages before the audio. */
export function opusHeaders(preSkip: number, serial = 7): Uint8Array<ArrayBuffer>[] {
  const head = new Uint8Array(19);
  head.set(new TextEncoder().encode('OpusHead'));
  const view = viewOf(head);
  head[8] = 1;
  head[9] = 1;
  view.setUint16(10, preSkip, true);
  view.setUint32(12, 48000, true);
  const tags = new Uint8Array(16);
  tags.set(new TextEncoder().encode('OpusTags'));
  return [
    oggPage({ flags: 2, sequence: 0, serial, packets: [head] }),
    oggPage({ sequence: 1, serial, packets: [tags] }),
  ];
}

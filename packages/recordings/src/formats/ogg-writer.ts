import { ascii, createChecksum, join, viewOf } from '../bytes.ts';
import type { JoinedWriter, Packet } from './track.ts';

const packetsPerPage = 50;
const serialNumber = 0x7370_6368;
/** Flags of a page. */
const continuesPacket = 1;
const beginsStream = 2;
const endsStream = 4;
/** Granule position of a page on which no packet ends. */
const noGranule = -1;
const checksum = createChecksum(32, 0x04c1_1db7);

/** The properties of a track whose parts are Ogg files. */
export const oggTrack = {
  extension: 'ogg',
  mediaType: 'audio/ogg',
  warmUpSeconds: 0.16,
  tailPackets: 1,
  packetOverhead: (bytes: number) => Math.floor(bytes / 255) + 3,
};

/** A header that names this writer and has no comments. */
export function commentHeader(signature: string): Uint8Array {
  const vendor = ascii('speech-api');
  return join([ascii(signature), Uint8Array.of(vendor.length, 0, 0, 0), vendor, new Uint8Array(4)]);
}

/** The pages of a file of these packets; `headers` are those of the codec, which come first. */
export function writeOgg(
  headers: readonly Uint8Array[],
  packets: readonly Packet[],
  firstIsMute = false,
): Uint8Array[] {
  const writer = createOggWriter(headers, firstIsMute);
  const pages = packets.flatMap((packet) => writer.write(packet));
  return [...pages, ...writer.end()];
}

/** Writes one stream page by page. A page is held back until it is known whether it is the last. */
export function createOggWriter(headers: readonly Uint8Array[], firstIsMute = false): JoinedWriter {
  let granule = 0;
  let sequence = 0;
  let isFirst = true;
  let group: Uint8Array[] = [];
  let segments = 0;
  const finish = (flags: number): Uint8Array => {
    const finished = page(group, granule, sequence, flags);
    sequence += 1;
    group = [];
    segments = 0;
    return finished;
  };
  return {
    write({ bytes, samples }) {
      const pages: Uint8Array[] = [];
      if (isFirst) {
        pages.push(...headerPages(headers));
        sequence = pages.length;
      }
      const needed = Math.floor(bytes.length / 255) + 1;
      if (group.length > 0 && (group.length === packetsPerPage || segments + needed > 255))
        pages.push(finish(0));
      group.push(bytes);
      segments += needed;
      granule += isFirst && firstIsMute ? 0 : samples;
      isFirst = false;
      return pages;
    },
    end: () => (group.length === 0 ? [] : [finish(endsStream)]),
  };
}

/** The first header has its own page; the others, which may hold a picture, have as many as they need. */
function headerPages(headers: readonly Uint8Array[]): Uint8Array[] {
  const [head = new Uint8Array(0), ...others] = headers;
  const pages = [page([head], 0, 0, beginsStream)];
  const lengths = others.flatMap(segmentsOf);
  const contents = join(others);
  let position = 0;
  for (let start = 0; start < lengths.length; start += 255) {
    const segments = lengths.slice(start, start + 255);
    const end = position + segments.reduce((sum, length) => sum + length, 0);
    const granule = segments.some((length) => length < 255) ? 0 : noGranule;
    const flags = lengths[start - 1] === 255 ? continuesPacket : 0;
    pages.push(pageOf(segments, contents.subarray(position, end), granule, pages.length, flags));
    position = end;
  }
  return pages;
}

/** A segment of 255 bytes continues; the first shorter one ends the packet. */
function segmentsOf({ length }: Uint8Array): number[] {
  return [...new Array<number>(Math.floor(length / 255)).fill(255), length % 255];
}

/** A page of whole packets. */
export function page(
  packets: readonly Uint8Array[],
  granule: number,
  sequence: number,
  flags: number,
): Uint8Array {
  return pageOf(packets.flatMap(segmentsOf), join(packets), granule, sequence, flags);
}

function pageOf(
  segments: readonly number[],
  content: Uint8Array,
  granule: number,
  sequence: number,
  flags: number,
): Uint8Array {
  const bytes = join([new Uint8Array(27), Uint8Array.from(segments), content]);
  const view = viewOf(bytes);
  bytes.set(ascii('OggS'));
  bytes[5] = flags;
  view.setBigInt64(6, BigInt(granule), true);
  view.setUint32(14, serialNumber, true);
  view.setUint32(18, sequence, true);
  bytes[26] = segments.length;
  view.setUint32(22, checksum(bytes), true);
  return bytes;
}

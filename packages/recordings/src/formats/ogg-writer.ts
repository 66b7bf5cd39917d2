import { ascii, createChecksum, join, viewOf } from '../bytes.ts';
import type { JoinedWriter, Packet } from './track.ts';

const packetsPerPage = 50;
const serialNumber = 0x7370_6368;
const checksum = createChecksum(32, 0x04c1_1db7);

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

/** One stream of pages, as packets come. A page is held back until it is known whether it is the last. */
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
        const [head = new Uint8Array(0), ...others] = headers;
        pages.push(page([head], 0, 0, 2), page(others, 0, 1, 0));
        sequence = 2;
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
    end: () => (group.length === 0 ? [] : [finish(4)]),
  };
}

function page(packets: readonly Uint8Array[], granule: number, sequence: number, flags: number): Uint8Array {
  const lacing = packets.flatMap((packet) => [
    ...new Array<number>(Math.floor(packet.length / 255)).fill(255),
    packet.length % 255,
  ]);
  const bytes = join([new Uint8Array(27), Uint8Array.from(lacing), ...packets]);
  const view = viewOf(bytes);
  bytes.set(ascii('OggS'));
  bytes[5] = flags;
  view.setBigInt64(6, BigInt(granule), true);
  view.setUint32(14, serialNumber, true);
  view.setUint32(18, sequence, true);
  bytes[26] = lacing.length;
  view.setUint32(22, checksum(bytes), true);
  return bytes;
}

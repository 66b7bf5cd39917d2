import { OggWriter } from '@speech-api/audio';
import type { JoinedWriter, Packet } from './track.ts';

const packetsPerPage = 50;
/** Segments that a page has room for; each is up to 255 bytes of a packet. */
const segmentsPerPage = 255;
const serialNumber = 0x7370_6368;

/** The properties of a track whose parts are Ogg files. */
export const oggTrack = {
  extension: 'ogg',
  mediaType: 'audio/ogg',
  warmUpSeconds: 0.16,
  tailPackets: 1,
  packetOverhead: (bytes: number) => Math.floor(bytes / 255) + 3,
};
export const vendor = 'speech-api';

/** The pages of a file of these packets; `headers` are those of the codec, which come first. */
export function writeOgg(
  headers: readonly Uint8Array[],
  packets: readonly Packet[],
  firstIsMute = false,
): Uint8Array[] {
  const writer = joinOgg(headers, firstIsMute);
  const pages = packets.flatMap((packet) => writer.write(packet));
  return [...pages, ...writer.end()];
}

/** Writes one stream page by page. A page is held back until it is known whether it is the last. */
export function joinOgg(headers: readonly Uint8Array[], firstIsMute = false): JoinedWriter {
  const writer = new OggWriter(serialNumber);
  let granule = 0;
  let isFirst = true;
  let group: Uint8Array[] = [];
  let segments = 0;
  const finish = (isLast: boolean): Uint8Array => {
    const page = writer.page(group, granule, isLast);
    group = [];
    segments = 0;
    return page;
  };
  return {
    write({ bytes, samples }) {
      const pages: Uint8Array[] = isFirst ? [writer.headers(headers)] : [];
      const needed = Math.floor(bytes.length / 255) + 1;
      if (group.length > 0 && (group.length === packetsPerPage || segments + needed > segmentsPerPage))
        pages.push(finish(false));
      group.push(bytes);
      segments += needed;
      granule += isFirst && firstIsMute ? 0 : samples;
      isFirst = false;
      return pages;
    },
    end: () => (group.length === 0 ? [] : [finish(true)]),
  };
}

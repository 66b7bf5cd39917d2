import { createOggPageWalker, hasText, type OggPage } from '@speech-api/audio';
import { damaged as damagedFile, unsupported } from '../errors.ts';
import { openOpus } from './opus.ts';
import {
  createGaps,
  type Gaps,
  type Packet,
  type PacketCodec,
  type TrackEvent,
  type TrackReader,
} from './track.ts';
import { openVorbis } from './vorbis.ts';

/** Maximum bytes that belong to no page, between two pages and after the last. */
const patienceBytes = 65_536;
const tolerableJunkBytes = 1_000_000;

/** Ogg with Opus or Vorbis, chained streams included: each link is a separate track. */
export function createOggReader(): TrackReader {
  const walker = createOggPageWalker();
  let link: Link | undefined;
  /** Bytes skipped before the last page. */
  let skippedBefore = 0;

  function read(page: OggPage): TrackEvent[] {
    if (page.isFirst) {
      if (link !== undefined && !link.isEnded && link.seconds === 0) {
        throw unsupported('an Ogg file of several streams at once');
      }
      const ended = link?.end() ?? [];
      link = openLink(page);
      return ended;
    }
    if (link === undefined || page.serialNumber !== link.serialNumber) return [];
    return link.read(page);
  }

  return {
    push(piece) {
      const pages = walker.push(piece);
      const events = pages.flatMap(read);
      if (pages.length > 0) skippedBefore = walker.skippedBytes;
      const junk = walker.skippedBytes - skippedBefore;
      if (link !== undefined && junk > (link.isEnded ? tolerableJunkBytes : patienceBytes))
        throw damaged(`after ${link.seconds.toFixed(1)} s, ${junk} bytes belong to no page`);
      return events;
    },
    end() {
      if (link === undefined) throw damaged('no whole page is in it');
      return link.end(walker.pendingBytes > 0);
    },
  };
}

type Link = ReturnType<typeof openLink>;

function openLink(first: OggPage) {
  const headers: Uint8Array[] = [first.packets[0] ?? new Uint8Array(0)];
  const headerPackets = headerPacketsOf(headers[0] as Uint8Array);
  let codec: PacketCodec | undefined;
  let rate = 1;
  let isEnded = false;
  let samples = 0;
  let startGranule: number | undefined;
  let endGranule: number | undefined;
  let lastPageSamples = 0;
  let gaps: Gaps | undefined;

  function readPackets(page: OggPage): Packet[] {
    const packets: Packet[] = [];
    for (const bytes of page.packets) {
      if (headers.length < headerPackets) {
        headers.push(bytes);
        continue;
      }
      codec ??= openCodec(headers);
      const packetSamples = codec.samplesOf(bytes);
      if (packetSamples === undefined) throw damaged('a packet says a length that no packet has');
      // Vorbis allows empty packets; they carry no sound and would cost memory.
      if (bytes.length > 0) packets.push({ bytes, samples: packetSamples });
    }
    return packets;
  }

  return {
    serialNumber: first.serialNumber,
    get isEnded() {
      return isEnded;
    },
    get seconds() {
      return samples / rate;
    },
    read(page: OggPage): TrackEvent[] {
      if (page.isAfterLoss)
        throw damaged(`pages are missing or broken after ${(samples / rate).toFixed(1)} s`);
      const isFirst = codec === undefined;
      const packets = readPackets(page);
      isEnded = page.isLast;
      if (codec === undefined || packets.length === 0) return [];
      lastPageSamples = packets.reduce((sum, packet) => sum + packet.samples, 0);
      rate = codec.track.sampleRate;
      gaps ??= createGaps('an Ogg file', codec.track);
      const events: TrackEvent[] = [];
      if (page.granulePosition !== undefined && startGranule !== undefined) {
        // A page's position is that of its end.
        const before = (page.granulePosition - startGranule - lastPageSamples) / rate;
        for (const event of gaps(before, samples)) {
          samples += event.packet.samples;
          events.push(event);
        }
      }
      samples += lastPageSamples;
      if (page.granulePosition !== undefined && startGranule === undefined) {
        // A stream that was cut out of a longer one begins at a later position; one that skips its start, at an earlier one.
        startGranule = page.isLast ? 0 : page.granulePosition - samples;
        if (codec.skipIsInHead) startGranule = Math.max(0, startGranule);
      }
      if (isFirst) {
        const early = codec.skipIsInHead ? 0 : Math.min(samples, Math.max(0, -(startGranule ?? 0)));
        const skippedSamples = codec.track.skippedSamples + early;
        events.push({ type: 'track', track: { ...codec.track, skippedSamples } });
      }
      for (const packet of packets) events.push({ type: 'packet', packet });
      endGranule = page.granulePosition ?? endGranule;
      return events;
    },
    end(isCut = false): TrackEvent[] {
      if (samples === 0) throw damaged('it has no packet of audio');
      // The last page may end before its packets do. Even smaller positions count something else.
      const surplus = endGranule === undefined ? 0 : samples - (endGranule - (startGranule ?? 0));
      const trimmedSamples = surplus > 0 && surplus <= lastPageSamples ? surplus : 0;
      return [{ type: 'track-end', trimmedSamples, isTruncated: isCut }];
    },
  };
}

/** Number of packets before the sound. */
function headerPacketsOf(head: Uint8Array): number {
  if (hasText(head, 0, 'OpusHead')) return 2;
  if (hasText(head, 0, '\u0001vorbis')) return 3;
  const others = { Flac: '\u007fFLAC', Speex: 'Speex   ', Theora: '\u0080theora' };
  const [name] = Object.entries(others).find(([, text]) => hasText(head, 0, text)) ?? ['an unknown codec'];
  throw unsupported(`an Ogg file of ${name}`);
}

function openCodec(headers: readonly Uint8Array[]): PacketCodec {
  const [head = new Uint8Array(0), , setup] = headers;
  return setup === undefined ? openOpus(head, 'Ogg') : openVorbis(head, setup, 'Ogg');
}

const damaged = (what: string) => damagedFile('Ogg file', what);

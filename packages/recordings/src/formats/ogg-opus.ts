import { createOggPageWalker, type OggPage, opusPacketSamples } from '@speech-api/audio';
import { ascii, createChecksum, hasText, join, viewOf } from '../bytes.ts';
import { RecordingError } from '../errors.ts';
import type { JoinedWriter, Packet, Track, TrackEvent, TrackReader } from './track.ts';

/** Decoding always gives this rate. */
const sampleRate = 48_000;
const packetsPerPage = 50;
const maximumPacketBytes = 61_440;
const patienceBytes = 65_536;
const serialNumber = 0x7370_6368;
/** 20 ms of nothing, as every encoder writes it: CELT, full band, one channel coded. */
const silence: Packet = { bytes: Uint8Array.of(0xf8, 0xff, 0xfe), samples: 960 };
const checksum = createChecksum(32, 0x04c1_1db7);

/** Ogg Opus, chained streams included: each link is a separate track. */
export function createOggOpusReader(): TrackReader {
  const walker = createOggPageWalker();
  let link: Link | undefined;
  let isAny = false;

  function read(page: OggPage): TrackEvent[] {
    if (page.isFirst) {
      if (link !== undefined && !link.isEnded && link.seconds === 0) {
        throw new RecordingError(
          'This Ogg file holds several streams at once, which cannot be cut here. Take one out: ffmpeg -i in.ogg -map 0:a:0 -c copy out.ogg',
          'unsupported',
        );
      }
      const ended = link?.end() ?? [];
      link = openLink(page);
      isAny = true;
      return ended;
    }
    if (link === undefined || page.serialNumber !== link.serialNumber) return [];
    return link.read(page);
  }

  return {
    push(piece) {
      const events = walker.push(piece).flatMap(read);
      if (!isAny && walker.skippedBytes > patienceBytes)
        throw damaged('no whole page is in its first 64 KiB');
      return events;
    },
    end() {
      if (link === undefined) throw damaged('no whole page is in it');
      return link.end(walker.pendingBytes > 0);
    },
  };
}

interface Link {
  readonly serialNumber: number;
  readonly isEnded: boolean;
  readonly seconds: number;
  read(page: OggPage): TrackEvent[];
  end(isCut?: boolean): TrackEvent[];
}

function openLink(first: OggPage): Link {
  const head = first.packets[0]?.bytes ?? new Uint8Array(0);
  refuseOthers(head);
  const track = createOpusTrack(head);
  let sequenceNumber = first.sequenceNumber;
  let unfinished: Uint8Array[] = [];
  let seenComments = false;
  let isEnded = false;
  let samples = 0;
  let startGranule: number | undefined;
  let endGranule: number | undefined;

  function* packetsOf(page: OggPage): Generator<Uint8Array> {
    for (const { bytes, isComplete } of page.packets) {
      // Comments may contain a picture, and are not used.
      if (seenComments || unfinished.length === 0) unfinished.push(bytes);
      if (seenComments && unfinished.reduce((sum, part) => sum + part.length, 0) > maximumPacketBytes) {
        throw damaged(`a packet after ${(samples / sampleRate).toFixed(1)} s is longer than any can be`);
      }
      if (!isComplete) continue;
      const packet = unfinished.length === 1 ? (unfinished[0] as Uint8Array) : join(unfinished);
      unfinished = [];
      if (seenComments) yield packet;
      seenComments = true;
    }
  }

  return {
    serialNumber: first.serialNumber,
    get isEnded() {
      return isEnded;
    },
    get seconds() {
      return samples / sampleRate;
    },
    read(page) {
      const events: TrackEvent[] = [];
      if (page.sequenceNumber !== (sequenceNumber + 1) >>> 0) {
        throw damaged(`pages are missing or broken after ${(samples / sampleRate).toFixed(1)} s`);
      }
      sequenceNumber = page.sequenceNumber;
      let onPage = 0;
      for (const bytes of packetsOf(page)) {
        const packetSamples = opusPacketSamples(bytes);
        if (packetSamples === 0 || packetSamples > 5760)
          throw damaged('a packet says a length that no packet has');
        if (samples + onPage === 0) events.push({ type: 'track', track });
        onPage += packetSamples;
        events.push({ type: 'packet', packet: { bytes, samples: packetSamples } });
      }
      samples += onPage;
      if (onPage > 0 && page.granulePosition !== undefined) {
        // A stream that was cut out of a longer one begins with a later position.
        startGranule ??= page.isLast ? 0 : Math.max(0, page.granulePosition - samples);
        endGranule = page.granulePosition;
        if (!page.isLast && endGranule - startGranule !== samples) {
          throw damaged(`its positions do not fit its packets after ${(samples / sampleRate).toFixed(1)} s`);
        }
      }
      isEnded = page.isLast;
      return events;
    },
    end(isCut = false) {
      if (samples === 0) throw damaged('it has no packet of audio');
      const surplus = isEnded && endGranule !== undefined ? samples - (endGranule - (startGranule ?? 0)) : 0;
      const trimmedSamples = Math.min(Math.max(0, surplus), samples);
      return [{ type: 'track-end', trimmedSamples, isTruncated: isCut || unfinished.length > 0 }];
    },
  };
}

function refuseOthers(head: Uint8Array): void {
  if (hasText(head, 0, 'OpusHead') && head.length >= 19) return;
  const others = { Vorbis: '\u0001vorbis', Flac: '\u007fFLAC', Speex: 'Speex   ', Theora: '\u0080theora' };
  const [name] = Object.entries(others).find(([, text]) => hasText(head, 0, text)) ?? ['an unknown codec'];
  throw new RecordingError(
    `This Ogg file holds ${name}, which cannot be cut here. Convert it: ffmpeg -i in.ogg -vn -c:a libopus out.ogg`,
    'unsupported',
  );
}

function createOpusTrack(head: Uint8Array): Track {
  const view = viewOf(head);
  // A part starts with a warm-up that is heard and accounted for, so nothing is to be left out.
  const ownHead = head.slice();
  viewOf(ownHead).setUint16(10, 0, true);
  return {
    description: `Ogg Opus (${view.getUint8(9)} channels)`,
    extension: 'ogg',
    mediaType: 'audio/ogg',
    sampleRate,
    skippedSamples: view.getUint16(10, true),
    warmUpSeconds: 0.16,
    tailPackets: 1,
    headerBytes: 2 * 28 + head.length + 32,
    packetOverhead: (bytes) => Math.floor(bytes / 255) + 3,
    write: (packets) => writeOgg(ownHead, packets),
    startJoined: () => ({ writer: createOggWriter(head), skippedSamples: view.getUint16(10, true) }),
    decode: (file) => decodeOpus(file),
    silence,
  };
}

function writeOgg(head: Uint8Array, packets: readonly Packet[]): Uint8Array<ArrayBuffer> {
  const writer = createOggWriter(head);
  const pages = packets.flatMap((packet) => writer.write(packet));
  return join([...pages, ...writer.end()]);
}

/** One stream of pages, as packets come. A page is held back until it is known whether it is the last. */
function createOggWriter(head: Uint8Array): JoinedWriter {
  const vendor = ascii('speech-api');
  const tags = new Uint8Array(8 + 4 + vendor.length + 4);
  tags.set(ascii('OpusTags'));
  viewOf(tags).setUint32(8, vendor.length, true);
  tags.set(vendor, 12);
  let granule = 0;
  let sequence = 0;
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
      if (sequence === 0) {
        pages.push(page([head], 0, 0, 2), page([tags], 0, 1, 0));
        sequence = 2;
      }
      const needed = Math.floor(bytes.length / 255) + 1;
      if (group.length === packetsPerPage || segments + needed > 255) pages.push(finish(0));
      group.push(bytes);
      segments += needed;
      granule += samples;
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

async function decodeOpus(file: Uint8Array) {
  const { createDecoder } = await import('libopus-wasm');
  const rate = 16_000;
  const decoder = await createDecoder({ channels: 1, sampleRate: rate });
  const pieces: Float32Array[] = [];
  try {
    for (const { packets } of createOggPageWalker().push(file).slice(2)) {
      for (const { bytes } of packets) pieces.push(decoder.decodeFloat(bytes).slice());
    }
  } finally {
    decoder.free();
  }
  const samples = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let position = 0;
  for (const piece of pieces) {
    samples.set(piece, position);
    position += piece.length;
  }
  return { samples, sampleRate: rate };
}

function damaged(what: string): RecordingError {
  return new RecordingError(
    `This Ogg file is damaged: ${what}. Mend it: ffmpeg -i in.ogg -c:a libopus out.ogg`,
    'damaged',
  );
}

import { ascii, hasText, viewOf } from './bytes.ts';
import { AudioFormatError } from './errors.ts';
import { createOggPageWalker, type OggPage } from './ogg.ts';

/** The identification header of an Ogg Opus stream. */
export interface OpusHead {
  readonly channels: number;
  /** Samples at 48 kHz to be thrown away at the start. */
  readonly preSkip: number;
  readonly mappingFamily: number;
}

/** One packet of Opus audio. */
export interface OpusPacket {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Samples of each channel at 48 kHz that decoding gives. */
  readonly samples: number;
  /** Number of samples to discard at the start (the pre-skip). */
  readonly discardStart: number;
  /** Number of samples to discard at the end (beyond the end that the last page states). */
  readonly discardEnd: number;
}

/** Opus packets out of an Ogg file, whatever pieces it arrives in. */
export interface OpusReader {
  /** Known once the first page has arrived; the latest one where files follow each other. */
  readonly head: OpusHead | undefined;
  /**
   * The packets of audio that these bytes complete.
   *
   * @throws AudioFormatError when the first pages are of another codec, or nothing like Ogg comes in the first 64 KiB.
   */
  push(bytes: Uint8Array): OpusPacket[];
  /** Bytes of a page or a packet that has begun. At the end of a file, anything but 0 means that it was cut. */
  readonly pendingBytes: number;
}

const PATIENCE_BYTES = 65_536;
const HEAD_BYTES = 19;

/** Creates a reader of the Opus packets in an Ogg stream, for bytes that arrive in pieces of any size. */
export function createOpusReader(): OpusReader {
  const walker = createOggPageWalker();
  let stream: OpusStream | undefined;
  return {
    get head() {
      return stream?.head;
    },
    push(bytes) {
      const packets: OpusPacket[] = [];
      for (const page of walker.push(bytes)) {
        if (page.isFirst) stream = openStream(page);
        else if (page.serialNumber === stream?.serialNumber) packets.push(...stream.read(page));
      }
      if (stream === undefined && walker.skippedBytes > PATIENCE_BYTES) {
        throw new AudioFormatError('These bytes are not an Ogg file: no page was found.', 'not-recognised');
      }
      return packets;
    },
    get pendingBytes() {
      return walker.pendingBytes;
    },
  };
}

interface OpusStream {
  readonly head: OpusHead;
  readonly serialNumber: number;
  read(page: OggPage): OpusPacket[];
}

function openStream({ packets: [first = new Uint8Array(0)], serialNumber }: OggPage): OpusStream {
  const head = readOpusHead(first);
  let seenComments = false;
  let toSkip = head.preSkip;
  let decodedSamples = 0;
  return {
    head,
    serialNumber,
    read({ packets, granulePosition, isLast }) {
      const audio = seenComments ? packets : packets.slice(1);
      seenComments ||= packets.length > 0;
      for (const bytes of audio) decodedSamples += opusPacketSamples(bytes);
      // The last page may end before its samples do.
      let surplus = isLast ? Math.max(0, decodedSamples - (granulePosition ?? decodedSamples)) : 0;
      const fromTheEnd = audio.toReversed().map((bytes) => {
        const samples = opusPacketSamples(bytes);
        const discardEnd = Math.min(surplus, samples);
        surplus -= discardEnd;
        return { bytes, samples, discardEnd };
      });
      return fromTheEnd.toReversed().map((packet) => {
        const discardStart = Math.min(toSkip, packet.samples - packet.discardEnd);
        toSkip -= discardStart;
        return { ...packet, discardStart };
      });
    },
  };
}

/** @throws AudioFormatError when it is no head of Opus. */
export function readOpusHead(packet: Uint8Array): OpusHead {
  if (!hasText(packet, 0, 'OpusHead') || packet.length < HEAD_BYTES) {
    throw new AudioFormatError('This Ogg file does not hold Opus.', 'unsupported');
  }
  const view = viewOf(packet);
  return {
    channels: view.getUint8(9),
    preSkip: view.getUint16(10, true),
    mappingFamily: view.getUint8(18),
  };
}

/** The identification header of a stream of one or two channels. */
export function writeOpusHead(head: Omit<OpusHead, 'mappingFamily'>, inputSampleRate: number) {
  const packet = new Uint8Array(HEAD_BYTES);
  const view = viewOf(packet);
  packet.set(ascii('OpusHead'));
  packet.set([1, head.channels], 8);
  view.setUint16(10, head.preSkip, true);
  view.setUint32(12, inputSampleRate, true);
  return packet;
}

/** Samples of each channel at 48 kHz in an Opus packet, from its first two bytes (RFC 6716, section 3). */
export function opusPacketSamples(packet: Uint8Array): number {
  const first = packet[0];
  if (first === undefined) return 0;
  const configuration = first >> 3;
  const code = first & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 63;
  return frames * frameSamples(configuration);
}

function frameSamples(configuration: number): number {
  if (configuration < 12) return [480, 960, 1920, 2880][configuration & 3] ?? 0;
  if (configuration < 16) return [480, 960][configuration & 1] ?? 0;
  return [120, 240, 480, 960][configuration & 3] ?? 0;
}

import { hasText, viewOf } from './bytes.ts';
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
  /** Bytes of a page that has begun. At the end of a file, anything but 0 means that it was cut. */
  readonly pendingBytes: number;
}

const PATIENCE_BYTES = 65_536;
// The longest packet is 120 ms; at the highest bitrate of the format that is some 7.5 KB a channel.
const MAXIMUM_PACKET_BYTES = 65_536;

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

function openStream(page: OggPage): OpusStream {
  const head = readOpusHead(page.packets[0]?.bytes ?? new Uint8Array(0));
  const { serialNumber } = page;
  let unfinished: Uint8Array[] = [];
  let unfinishedBytes = 0;
  let sequenceNumber = page.sequenceNumber;
  let seenComments = false;
  let toSkip = head.preSkip;
  let decodedSamples = 0;

  function complete(page: OggPage): Uint8Array<ArrayBuffer>[] {
    const whole: Uint8Array<ArrayBuffer>[] = [];
    const isNext = page.sequenceNumber === (sequenceNumber + 1) >>> 0;
    sequenceNumber = page.sequenceNumber;
    // If a page was lost, the packet that it began cannot be finished.
    if (!page.isContinued || !isNext) unfinished = [];
    // Skips the rest of a packet whose beginning was lost.
    const parts = page.isContinued && unfinished.length === 0 ? page.packets.slice(1) : page.packets;
    for (const { bytes, isComplete } of parts) {
      unfinishedBytes = unfinished.length === 0 ? bytes.length : unfinishedBytes + bytes.length;
      if (unfinishedBytes > MAXIMUM_PACKET_BYTES && seenComments) {
        throw new AudioFormatError('An Opus packet is longer than any can be.', 'not-recognised');
      }
      // Comments may be large and are not used.
      unfinished.push(seenComments ? bytes : bytes.subarray(0, 8));
      if (!isComplete) continue;
      const packet =
        unfinished.length === 1 ? bytes : new Uint8Array(unfinished.flatMap((part) => [...part]));
      unfinished = [];
      if (seenComments) whole.push(packet);
      seenComments = true;
    }
    return whole;
  }

  return {
    head,
    serialNumber,
    read(page) {
      const packets = complete(page).map((bytes) => ({ bytes, samples: opusPacketSamples(bytes) }));
      const samples = packets.reduce((sum, packet) => sum + packet.samples, 0);
      const { granulePosition } = page;
      decodedSamples += samples;
      // The last page may end before its samples do.
      let surplus =
        page.isLast && granulePosition !== undefined ? Math.max(0, decodedSamples - granulePosition) : 0;
      const discards = packets.map(() => 0);
      for (let index = packets.length - 1; index >= 0 && surplus > 0; index--) {
        const discarded = Math.min(surplus, packets[index]?.samples ?? 0);
        discards[index] = discarded;
        surplus -= discarded;
      }
      return packets.map(({ bytes, samples }, index) => {
        const discardEnd = discards[index] ?? 0;
        const discardStart = Math.min(toSkip, samples - discardEnd);
        toSkip -= discardStart;
        return { bytes, samples, discardStart, discardEnd };
      });
    },
  };
}

function readOpusHead(packet: Uint8Array): OpusHead {
  if (!hasText(packet, 0, 'OpusHead') || packet.length < 19) {
    throw new AudioFormatError('This Ogg file does not hold Opus.', 'unsupported');
  }
  const view = viewOf(packet);
  return {
    channels: view.getUint8(9),
    preSkip: view.getUint16(10, true),
    mappingFamily: view.getUint8(18),
  };
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

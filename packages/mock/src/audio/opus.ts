import { audioChannels } from '@speech-api/types';
import { opusPackets } from './frames.ts';
import type { Sound, SoundSettings } from './sound.ts';

/** Positions in an Opus stream are counted at 48 kHz, whatever it was made from. */
const positionsPerSecond = 48_000;
const packetPositions = 960;
/** Samples that a decoder discards at the start: the encoder delay of libopus. */
const preSkip = 312;
/** Bitrate for `automatic`: the default that section 2.3 describes. */
const automaticBitrate = 32_000;
/** A page has room for so many packets; a second of sound is fifty. */
const packetsPerPage = 50;

/** One packet of a tone, repeated, in an Ogg stream. */
export function createOpus({ sampleRate, opusBitrate }: SoundSettings): Sound {
  const packet = Buffer.from(packetOf(opusBitrate < 0 ? automaticBitrate : opusBitrate), 'base64');
  const ogg = createOggWriter();
  let head: Uint8Array[] = [
    ogg.page([opusHead(sampleRate)], { granule: 0, first: true }),
    ogg.page([opusTags()], { granule: 0 }),
  ];
  let written = 0;
  const write = (packets: number, end?: number): Uint8Array => {
    const pieces = head;
    head = [];
    while (written < packets) {
      const count = Math.min(packets - written, packetsPerPage);
      written += count;
      const last = end !== undefined && written === packets;
      const granule = last ? end : written * packetPositions;
      pieces.push(
        ogg.page(
          Array.from({ length: count }, () => packet),
          { granule, last },
        ),
      );
    }
    return Buffer.concat(pieces);
  };
  return {
    // One packet is kept back: the page that ends the stream must have something in it.
    until: (seconds) => write(Math.floor((seconds * positionsPerSecond) / packetPositions) - 1),
    finish(seconds) {
      const end = preSkip + Math.round(seconds * positionsPerSecond);
      return write(Math.ceil(end / packetPositions), end);
    },
  };
}

function packetOf(bitrate: number): string {
  const packet = opusPackets[bitrate];
  if (packet === undefined) throw new Error(`There is no opus packet of ${bitrate} bps.`);
  return packet;
}

function opusHead(sampleRate: number): Uint8Array {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head.writeUInt8(1, 8);
  head.writeUInt8(audioChannels.opus, 9);
  head.writeUInt16LE(preSkip, 10);
  head.writeUInt32LE(sampleRate, 12);
  return head;
}

function opusTags(): Uint8Array {
  const vendor = 'speech-mock';
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
  tags.write('OpusTags', 0, 'latin1');
  tags.writeUInt32LE(vendor.length, 8);
  tags.write(vendor, 12, 'latin1');
  return tags;
}

/** The fields of a page header. */
export interface PageOptions {
  /** Position of the last sample that ends on this page. */
  readonly granule: number;
  readonly first?: boolean;
  readonly last?: boolean;
}

/** Writes the pages of one Ogg stream. */
export interface OggWriter {
  /** A page with these packets, all of them whole. */
  page(packets: readonly Uint8Array[], options: PageOptions): Uint8Array;
}

/** The number of a stream must differ only from others in the same file, and there are none. */
const serialNumber = 0x5eec;

/** Makes a writer that numbers its pages. */
export function createOggWriter(): OggWriter {
  let number = 0;
  return {
    page(packets, { granule, first = false, last = false }) {
      const lacing = packets.flatMap((packet) => [
        ...Array.from({ length: Math.floor(packet.length / 255) }, () => 255),
        packet.length % 255,
      ]);
      const head = Buffer.alloc(27 + lacing.length);
      head.write('OggS', 0, 'latin1');
      head.writeUInt8((first ? 2 : 0) | (last ? 4 : 0), 5);
      head.writeBigInt64LE(BigInt(granule), 6);
      head.writeUInt32LE(serialNumber, 14);
      head.writeUInt32LE(number, 18);
      head.writeUInt8(lacing.length, 26);
      head.set(lacing, 27);
      number += 1;
      const page = Buffer.concat([head, ...packets]);
      page.writeUInt32LE(checksum(page), 22);
      return page;
    },
  };
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value >>> 0;
});

/** The CRC of a page whose own field for it is still zero. */
function checksum(page: Uint8Array): number {
  let value = 0;
  for (const byte of page) value = ((value << 8) ^ (table[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return value;
}

import { Bitrate, createEncoder, Signal } from 'libopus-wasm';
import { joinBytes } from '../../values.ts';
import type { AudioEncoder } from './pcm.ts';

const sampleRate = 48000;
const frameLength = 960;
const framesASecond = sampleRate / frameLength;
const packetsAPage = 5;
/** The first page leaves sooner. */
const packetsOfFirstPage = 2;
const bitsOfPageHeader = (27 + packetsAPage) * 8;
/** Twice as fast as the default of 9, and not to be told from it for one voice. */
const complexity = 5;
/** The encoder's own mark for it, which the interface has taken over. */
const automatic = Bitrate.Auto;
/** The stream's number has to be the same for the same request, and there is one stream in a file. */
const serial = 0x53504545;

/**
 * Opus in Ogg (RFC 7845). The fixed bitrates are those of the whole stream: the pages around the packets are
 * taken off the encoder's share, or they would make 11 % at 24 kbit/s. Fixed means fixed: speech with its pauses
 * would else stay far below.
 *
 * @param bitrate bit/s, or -1000 for automatic
 */
export async function createOpusEncoder(bitrate: number): Promise<AudioEncoder> {
  const encoder = await createEncoder({
    channels: 1,
    sampleRate,
    frameSize: frameLength,
    signal: Signal.Voice,
    complexity,
    ...(bitrate === automatic
      ? { bitrate: 'auto' as const, vbr: true }
      : { bitrate: bitrate - (framesASecond / packetsAPage) * bitsOfPageHeader, vbr: false }),
  });
  const preSkip = encoder.getLookahead();
  const writer = new OggWriter(serial);
  const frame = new Float32Array(frameLength);
  let filled = 0;
  let taken = 0;
  let encoded = 0;
  let packets: Uint8Array[] = [];
  let pages: Uint8Array[] = [
    writer.page({ packets: [identification(preSkip)], granule: 0, first: true }),
    writer.page({ packets: [comments()], granule: 0 }),
  ];
  let pageSize = packetsOfFirstPage;

  const encodeFrame = () => {
    if (packets.length === pageSize) closePage(encoded);
    packets.push(encoder.encodeFloat(frame).slice());
    encoded += frameLength;
    filled = 0;
  };
  const closePage = (granule: number, last = false) => {
    pages.push(writer.page({ packets, granule, last }));
    packets = [];
    pageSize = packetsAPage;
  };
  const takePages = () => {
    const bytes = joinBytes(pages);
    pages = [];
    return bytes;
  };

  return {
    leadingSeconds: 0,
    encode(samples) {
      taken += samples.length;
      let offset = 0;
      while (offset < samples.length) {
        const part = samples.subarray(offset, offset + frameLength - filled);
        frame.set(part, filled);
        filled += part.length;
        offset += part.length;
        if (filled === frameLength) encodeFrame();
      }
      return encoded === 0 ? new Uint8Array(0) : takePages();
    },
    finish() {
      // The decoder drops the pre-skip, so as many more samples have to go in for the last one to come out.
      while (encoded < taken + preSkip) {
        frame.fill(0, filled);
        encodeFrame();
      }
      closePage(taken + preSkip, true);
      return takePages();
    },
    free: () => encoder.free(),
  };
}

function identification(preSkip: number): Uint8Array {
  const bytes = new Uint8Array(19);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('OpusHead'));
  bytes[8] = 1;
  bytes[9] = 1;
  view.setUint16(10, preSkip, true);
  view.setUint32(12, sampleRate, true);
  return bytes;
}

function comments(): Uint8Array {
  const vendor = new TextEncoder().encode('libopus');
  const bytes = new Uint8Array(16 + vendor.length);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('OpusTags'));
  view.setUint32(8, vendor.length, true);
  bytes.set(vendor, 12);
  return bytes;
}

const headerBytes = 27;
const longestSegment = 255;

const checksumTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

export interface OggPage {
  readonly packets: readonly Uint8Array[];
  /** Samples at 48 kHz up to the end of the last packet, pre-skip included. */
  readonly granule: number;
  readonly first?: boolean;
  readonly last?: boolean;
}

/** Writes the pages of one logical Ogg stream (RFC 3533); no packet runs over the end of its page. */
export class OggWriter {
  readonly #serial: number;
  #sequence = 0;

  constructor(serial: number) {
    this.#serial = serial;
  }

  page({ packets, granule, first = false, last = false }: OggPage): Uint8Array {
    const lacing = packets.flatMap(({ length }) => [
      ...new Array<number>(Math.floor(length / longestSegment)).fill(longestSegment),
      length % longestSegment,
    ]);
    const bodyLength = packets.reduce((sum, packet) => sum + packet.length, 0);
    const bytes = new Uint8Array(headerBytes + lacing.length + bodyLength);
    const view = new DataView(bytes.buffer);
    bytes.set(new TextEncoder().encode('OggS'));
    bytes[5] = (first ? 2 : 0) | (last ? 4 : 0);
    view.setBigInt64(6, BigInt(granule), true);
    view.setUint32(14, this.#serial, true);
    view.setUint32(18, this.#sequence, true);
    bytes[26] = lacing.length;
    bytes.set(lacing, headerBytes);
    let offset = headerBytes + lacing.length;
    for (const packet of packets) {
      bytes.set(packet, offset);
      offset += packet.length;
    }
    view.setUint32(22, checksum(bytes), true);
    this.#sequence += 1;
    return bytes;
  }
}

/** The checksum of a page whose checksum field is zero. */
export function checksum(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes)
    value = ((value << 8) ^ (checksumTable[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return value;
}

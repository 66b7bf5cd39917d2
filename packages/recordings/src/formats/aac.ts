import { viewOf } from '../bytes.ts';
import { unsupported } from '../errors.ts';
import { channelsOf, type PacketCodec, type Track } from './track.ts';

// The time that an encoder's window and bit reservoir reach back, with a margin.
const warmUpSeconds = 0.16;
const rates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
const headerBytes = 7;
const samplesPerFrame = 1024;
/** Silent frames of AAC-LC for one and for two channels. */
const silentFrames = [
  [0x01, 0x18, 0x20, 0x07],
  [0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c],
].map((bytes) => Uint8Array.from(bytes));

/**
 * AAC out of an mp4 or a Matroska file. Its parts are adts files: each frame gets a header of its own.
 *
 * @param configuration - the AudioSpecificConfig (ISO/IEC 14496-3) of the container
 */
export function openAac(configuration: Uint8Array, container: string): PacketCodec {
  const bits = createBitReader(configuration);
  let objectType = bits(5);
  const rateIndex = bits(4);
  const channels = bits(4);
  // With spectral band replication, the frames have the type below; decoders find the extension in them.
  if (objectType === 5 || objectType === 29) {
    if (bits(4) === 15) bits(24);
    objectType = bits(5);
  }
  const hasShortFrames = bits(1) === 1;
  if (objectType < 1 || objectType > 4 || rates[rateIndex] === undefined || hasShortFrames)
    throw unsupported(`AAC of type ${objectType} in ${container}`);
  // An adts header cannot describe unusual channel layouts.
  if (channels === 0) throw unsupported(`AAC of unusual channels in ${container}`);
  const header = Uint8Array.of(
    0xff,
    0xf1,
    ((objectType - 1) << 6) | (rateIndex << 2) | (channels >> 2),
    (channels & 3) << 6,
    0,
    0,
    0,
  );
  return {
    track: createAdtsTrack(header, container),
    frame: (packet) => frameOf(header, packet),
    samplesOf: (packet) => (packet.length === 0 ? undefined : samplesPerFrame),
    skipIsInHead: true,
  };
}

/** Reads numbers of this many bits; after the end there are zeros. */
function createBitReader(bytes: Uint8Array): (count: number) => number {
  let position = 0;
  return (count) => {
    let value = 0;
    for (const end = position + count; position < end; position++)
      value = value * 2 + (((bytes[position >> 3] ?? 0) >> (7 - (position & 7))) & 1);
    return value;
  };
}

interface AdtsHeader {
  /** The bits that all frames of a stream share. */
  readonly fixed: number;
  readonly samples: number;
}

/** Frames that each have a header. @param first - the first of them */
export function openAdts(first: Uint8Array): PacketCodec {
  const fixed = readAdtsHeader(first)?.fixed;
  return {
    track: createAdtsTrack(first),
    samplesOf(frame) {
      const header = readAdtsHeader(frame);
      if (header !== undefined && header.fixed !== fixed) throw unsupported('AAC that changes its format');
      return header?.samples;
    },
    skipIsInHead: true,
  };
}

/** @returns undefined if no frame begins here */
function readAdtsHeader(bytes: Uint8Array): AdtsHeader | undefined {
  if (bytes.length < headerBytes) return undefined;
  const view = viewOf(bytes);
  const first = view.getUint32(0);
  const size = ((first & 3) << 11) | (view.getUint16(4) >> 5);
  const isSync = first >>> 20 === 0xfff && (first & 0x6_0000) === 0;
  const rate = rates[(first >> 10) & 15];
  if (!isSync || rate === undefined || size <= headerBytes) return undefined;
  // The sync word, the profile, the rate and the channels, without the checksum flag.
  const fixed = (first & 0xfffe_fdc0) >>> 0;
  return { fixed, samples: samplesPerFrame * ((view.getUint8(6) & 3) + 1) };
}

/** @param header - of any of its frames */
function createAdtsTrack(header: Uint8Array, container = 'adts'): Track {
  const first = viewOf(header).getUint32(0);
  const [profile, channels] = [(first >> 14) & 3, (first >> 6) & 7];
  const sampleRate = rates[(first >> 10) & 15] ?? 0;
  const silent = profile === 1 ? silentFrames[channels - 1] : undefined;
  return {
    description: `${container} (AAC, ${channelsOf(channels)}, ${sampleRate} Hz)`,
    extension: 'aac',
    mediaType: 'audio/aac',
    sampleRate,
    skippedSamples: 0,
    warmUpSeconds,
    // Each frame overlaps the next one.
    tailPackets: 1,
    headerBytes: 0,
    packetOverhead: () => 0,
    write: (packets) => packets.map(({ bytes }) => bytes),
    ...(silent === undefined
      ? {}
      : { silence: { bytes: frameOf(header, silent), samples: samplesPerFrame } }),
  };
}

/** A frame with the header of another frame, without its checksum. */
function frameOf(header: Uint8Array, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(headerBytes + data.length);
  bytes.set(header.subarray(0, headerBytes));
  bytes.set(data, headerBytes);
  const view = viewOf(bytes);
  view.setUint8(1, view.getUint8(1) | 1);
  view.setUint8(3, (view.getUint8(3) & 0xfc) | (bytes.length >> 11));
  view.setUint16(4, ((bytes.length & 0x7ff) << 5) | 0x1f);
  view.setUint8(6, 0xfc);
  return bytes;
}

import { viewOf } from '../bytes.ts';
import { AudioFormatError } from '../errors.ts';

const rates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
const headerBytes = 7;
const samplesPerFrame = 1024;

/** What the header of an adts frame says. */
export interface AdtsHeader {
  /** The bits that all frames of a stream share: the profile, the rate and the channels. */
  readonly fixed: number;
  /** The object type: 2 for AAC-LC. */
  readonly objectType: number;
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples of each channel. */
  readonly samples: number;
}

/** @returns undefined if no frame begins here */
export function readAdtsHeader(bytes: Uint8Array): AdtsHeader | undefined {
  if (bytes.length < headerBytes) return undefined;
  const view = viewOf(bytes);
  const first = view.getUint32(0);
  const size = ((first & 3) << 11) | (view.getUint16(4) >> 5);
  const isSync = first >>> 20 === 0xfff && (first & 0x6_0000) === 0;
  const sampleRate = rates[(first >> 10) & 15];
  if (!isSync || sampleRate === undefined || size < headerBytes) return undefined;
  return {
    // The sync word, the profile, the rate and the channels, without the checksum flag.
    fixed: (first & 0xfffe_fdc0) >>> 0,
    objectType: ((first >> 14) & 3) + 1,
    sampleRate,
    channels: (first >> 6) & 7,
    samples: samplesPerFrame * ((view.getUint8(6) & 3) + 1),
  };
}

/** A frame with the header of another frame, without its checksum. */
export function writeAdtsFrame(header: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
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

/**
 * The header of the adts frames that AAC out of another container is written in.
 *
 * @param configuration - the AudioSpecificConfig (ISO/IEC 14496-3) of the container
 * @throws AudioFormatError for AAC that adts cannot describe
 */
export function adtsHeaderOf(configuration: Uint8Array): Uint8Array<ArrayBuffer> {
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
  const isOrdinary = objectType >= 1 && objectType <= 4 && rates[rateIndex] !== undefined && !hasShortFrames;
  if (!isOrdinary) throw new AudioFormatError(`This is AAC of type ${objectType}.`, 'unsupported');
  if (channels === 0) throw new AudioFormatError('This is AAC of unusual channels.', 'unsupported');
  const [profile, layout] = [(objectType - 1) << 6, (channels & 3) << 6];
  return writeAdtsFrame(
    Uint8Array.of(0xff, 0xf1, profile | (rateIndex << 2) | (channels >> 2), layout, 0, 0, 0),
    new Uint8Array(0),
  );
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

import type { AudioFormat } from '@speech-api/types';
import { createDecoder } from 'libopus-wasm';
import { MPEGDecoder } from 'mpg123-decoder';

/** Properties of audio according to a decoder in common use. */
export interface Measured {
  readonly seconds: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Bits a second of the file. */
  readonly bitrate: number;
  /** Root mean square of the decoded samples: 0 is silence, 1 as loud as can be. */
  readonly loudness: number;
}

type Decoded = Pick<Measured, 'sampleRate' | 'channels'> & { readonly samples: Float32Array };

/** Decodes audio as a listener would. @throws when it is not of this format, or is damaged */
export async function measureAudio(
  bytes: Uint8Array,
  format: AudioFormat,
  sampleRate: number,
): Promise<Measured> {
  const decoded = await decoders[format](Buffer.from(bytes), sampleRate);
  const seconds = decoded.samples.length / decoded.sampleRate;
  const power = decoded.samples.reduce((sum, sample) => sum + sample * sample, 0) / decoded.samples.length;
  return { ...decoded, seconds, bitrate: (bytes.length * 8) / seconds, loudness: Math.sqrt(power) };
}

const decoders: Readonly<Record<AudioFormat, (bytes: Buffer, sampleRate: number) => Promise<Decoded>>> = {
  async wav(bytes) {
    if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 16) !== 'WAVEfmt ')
      throw new Error('no header of a wav file');
    if (bytes.readUInt16LE(20) !== 1 || bytes.readUInt16LE(34) !== 16) throw new Error('not 16-bit PCM');
    const decoded = await decoders.pcm(bytes.subarray(44), bytes.readUInt32LE(24));
    return { ...decoded, channels: bytes.readUInt16LE(22) };
  },
  async pcm(bytes, sampleRate) {
    if (bytes.length % 2 !== 0) throw new Error('half a sample');
    const samples = Float32Array.from(
      { length: bytes.length / 2 },
      (_, index) => bytes.readInt16LE(2 * index) / 32_768,
    );
    return { samples, sampleRate, channels: 1 };
  },
  async mp3(bytes) {
    const decoder = new MPEGDecoder();
    await decoder.ready;
    const { channelData, sampleRate, errors } = decoder.decode(bytes);
    decoder.free();
    if (errors.length > 0) throw new Error(errors[0]?.message);
    // The decoder gives two channels whatever the file has; the frame says which.
    const channels = bytes.readUInt8(3) >> 6 === 3 ? 1 : 2;
    return { samples: channelData[0] ?? new Float32Array(), sampleRate, channels };
  },
  async opus(bytes) {
    const { packets, preSkip, end, channels } = readOggPackets(bytes);
    const decoder = await createDecoder({ channels: 1, sampleRate: 48_000 });
    const pieces = packets.map((packet) => Float32Array.from(decoder.decodeFloat(packet)));
    decoder.free();
    const samples = new Float32Array(pieces.flatMap((piece) => [...piece])).subarray(preSkip, end);
    return { samples, sampleRate: 48_000, channels };
  },
};

/** Contents of an Ogg stream of Opus. */
export interface OggPackets {
  readonly packets: readonly Uint8Array[];
  readonly channels: number;
  readonly preSkip: number;
  /** Position of the last sample. */
  readonly end: number;
}

const firstFlag = 2;
const lastFlag = 4;

/** Reads Ogg pages one after the other. @throws when a checksum, a number or the end is wrong */
export function readOggPackets(bytes: Buffer): OggPackets {
  const packets: Buffer[] = [];
  let number = 0;
  let end = 0;
  let flags = firstFlag;
  for (let offset = 0; offset < bytes.length; number += 1) {
    const count = bytes.readUInt8(offset + 26);
    const lacing = bytes.subarray(offset + 27, offset + 27 + count);
    const start = offset + 27 + count;
    const length = lacing.reduce((sum, each) => sum + each, 0);
    const page = bytes.subarray(offset, start + length);
    if (bytes.toString('latin1', offset, offset + 4) !== 'OggS') throw new Error(`no page at ${offset}`);
    if (bytes.readUInt32LE(offset + 18) !== number) throw new Error('a page out of order');
    if (plainChecksum(page) !== page.readUInt32LE(22)) throw new Error('a wrong checksum');
    flags = bytes.readUInt8(offset + 5);
    if ((number === 0) !== ((flags & firstFlag) !== 0)) throw new Error('not the first page');
    end = Number(bytes.readBigInt64LE(offset + 6));
    packets.push(...packetsOf(bytes.subarray(start, start + length), lacing));
    offset = start + length;
  }
  if ((flags & lastFlag) === 0) throw new Error('the stream has no end');
  const [head, tags, ...rest] = packets;
  if (head?.toString('latin1', 0, 8) !== 'OpusHead' || tags?.toString('latin1', 0, 8) !== 'OpusTags')
    throw new Error('no head of Opus');
  return { packets: rest, channels: head.readUInt8(9), preSkip: head.readUInt16LE(10), end };
}

function packetsOf(body: Buffer, lacing: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  let start = 0;
  let length = 0;
  for (const each of lacing) {
    length += each;
    if (each === 255) continue;
    packets.push(body.subarray(start, start + length));
    start += length;
    length = 0;
  }
  return packets;
}

/** Bit by bit, as RFC 3533 says it, and not by a table as the writer does. */
function plainChecksum(page: Uint8Array): number {
  let value = 0;
  page.forEach((byte, index) => {
    value ^= (index >= 22 && index < 26 ? 0 : byte) << 24;
    for (let bit = 0; bit < 8; bit += 1)
      value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  });
  return value >>> 0;
}

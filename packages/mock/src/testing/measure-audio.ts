import type { AudioFormat } from '@speech-api/types';
import { createDecoder } from 'libopus-wasm';
import { MPEGDecoder } from 'mpg123-decoder';
import { readOggPackets } from './read-ogg-packets.ts';

/** What a decoder of the field makes of audio. */
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

import { createDecoder } from 'libopus-wasm';
import {
  ADTS,
  BufferSource,
  type EncodedPacket,
  EncodedPacketSink,
  FLAC,
  Input,
  MATROSKA,
  MP4,
  OGG,
  QTFF,
  WEBM,
} from 'mediabunny';
import { type Measured, type SoundBlock, UnreadableAudioError } from './sound.ts';

/** The packets of the first sound track of a file. */
export interface PacketFile {
  readonly codec: string;
  readonly measured: Measured;
  /** Seconds of the first packet; below zero where an encoder's delay is to be thrown away. */
  readonly start: number;
  /** Configuration that the decoder needs before the first packet. */
  readonly description: Uint8Array;
  packets(): AsyncIterable<EncodedPacket>;
}

/**
 * @throws UnreadableAudioError when there is no sound in it
 */
export async function openPackets(bytes: Uint8Array): Promise<PacketFile> {
  const input = new Input({
    source: new BufferSource(bytes),
    formats: [MP4, QTFF, WEBM, MATROSKA, OGG, FLAC, ADTS],
  });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new UnreadableAudioError('there is no sound track in it');
  const sink = new EncodedPacketSink(track);
  const config = (await track.getDecoderConfig().catch(() => null)) as {
    readonly description?: ArrayBuffer | ArrayBufferView;
  } | null;
  // Counted packet by packet: what the container says of its length is a header, too.
  let start: number | undefined;
  let end = 0;
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
    start ??= packet.timestamp;
    end = Math.max(end, packet.timestamp + packet.duration);
  }
  if (start === undefined) throw new UnreadableAudioError('its sound track is empty');
  const sampleRate = await track.getSampleRate();
  const channels = await track.getNumberOfChannels();
  return {
    codec: (await track.getCodec()) ?? 'unknown',
    measured: { seconds: end - Math.max(0, start), sampleRate, channels },
    start,
    description: asBytes(config?.description),
    packets: () => sink.packets(),
  };
}

function asBytes(data: ArrayBuffer | ArrayBufferView | undefined): Uint8Array {
  if (data === undefined) return new Uint8Array(0);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Hz. The decoder gives what is asked for, and speech is listened to at this rate. */
const sampleRate = 8000;
/** Hz. The format counts in samples of this rate. */
const clockRate = 48_000;
/** Seconds. */
const longestPacket = 0.12;

/** The sound of the packets of a file; what encoders put before it is taken off, and what they put after it. */
export async function* readOpus(file: PacketFile): AsyncGenerator<SoundBlock> {
  const start = toSamples(preSkipOf(file.description) / clockRate);
  const all = await secondsOf(file);
  // The container's end is believed where it takes off what an encoder may have filled up its last packet with.
  const said = start / sampleRate + file.measured.seconds;
  const end = toSamples(said < all && all - said < longestPacket ? said : all);
  const decoder = await createDecoder({ channels: 1, sampleRate });
  let position = 0;
  try {
    for await (const packet of file.packets()) {
      const samples = decodePacket(decoder, packet.data);
      const first = Math.max(0, start - position);
      const last = Math.min(samples.length, end - position);
      position += samples.length;
      if (last <= first) continue;
      yield { samples: samples.slice(first, last), sampleRate, channels: file.measured.channels };
    }
  } finally {
    decoder.free();
  }
}

/** Seconds that the packets say they have, each by its first bytes: they are what is decoded. */
async function secondsOf(file: PacketFile): Promise<number> {
  let samples = 0;
  for await (const { data } of file.packets()) {
    samples += samplesOf(data);
  }
  return samples / clockRate;
}

/** Samples of the clock in a packet (RFC 6716, section 3.1). */
function samplesOf(packet: Uint8Array): number {
  const [first, second = 0] = packet;
  if (first === undefined) return 0;
  const frames = [1, 2, 2, second & 63][first & 3] ?? 0;
  const configuration = first >> 3;
  if (configuration < 12) return frames * ([480, 960, 1920, 2880][configuration & 3] ?? 0);
  if (configuration < 16) return frames * ([480, 960][configuration & 1] ?? 0);
  return frames * ([120, 240, 480, 960][configuration & 3] ?? 0);
}

function toSamples(seconds: number): number {
  return Math.round(seconds * sampleRate);
}

/** Bytes 10 and 11 of the identification header: samples to be thrown away at the start. */
function preSkipOf(description: Uint8Array): number {
  return (description[10] ?? 0) | ((description[11] ?? 0) << 8);
}

function decodePacket(decoder: Awaited<ReturnType<typeof createDecoder>>, bytes: Uint8Array): Float32Array {
  try {
    return decoder.decodeFloat(bytes);
  } catch {
    // A damaged packet is a gap, as on any line.
    return new Float32Array(0);
  }
}

import { createDecoder } from 'libopus-wasm';
import type { PacketFile } from './packets.ts';
import type { SoundBlock } from './sound.ts';

/** Hz. The decoder gives what is asked for, and speech is listened to at this rate. */
const sampleRate = 8000;
/** Hz. The format counts in samples of this rate. */
const clockRate = 48_000;
/** Seconds. */
const longestPacket = 0.12;

/** The sound of the packets of a file; what encoders put before it is taken off, and what they put after it. */
export async function* readOpus(file: PacketFile, onProgress: () => void): AsyncGenerator<SoundBlock> {
  const start = toSamples(preSkipOf(file.description) / clockRate);
  const all = await secondsOf(file, onProgress);
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
async function secondsOf(file: PacketFile, onProgress: () => void): Promise<number> {
  let samples = 0;
  for await (const { data } of file.packets()) {
    samples += samplesOf(data);
    onProgress();
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

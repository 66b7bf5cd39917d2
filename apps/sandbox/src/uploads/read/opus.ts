import { createOpusReader } from '@speech-api/audio';
import { createDecoder } from 'libopus-wasm';
import type { SoundBlock } from './sound.ts';

/** Hz. The decoder gives what is asked for, and speech is listened to at this rate. */
const sampleRate = 8000;
/** The format counts in samples of this rate. */
const clockRate = 48_000;
const bytesABlock = 65_536;

/** A packet, and how much of its sound is not part of the recording, in samples at 48 kHz. */
export interface OpusPacket {
  readonly bytes: Uint8Array;
  readonly discardStart: number;
  readonly discardEnd: number;
}

/** The packets of an Ogg file. */
export function* oggOpusPackets(bytes: Uint8Array): Generator<OpusPacket & { readonly channels: number }> {
  const reader = createOpusReader();
  for (let start = 0; start < bytes.length; start += bytesABlock) {
    for (const packet of reader.push(bytes.subarray(start, start + bytesABlock))) {
      yield { ...packet, channels: reader.head?.channels ?? 1 };
    }
  }
}

export async function* readOpus(
  packets: Iterable<OpusPacket> | AsyncIterable<OpusPacket>,
  channels: number,
): AsyncGenerator<SoundBlock> {
  const decoder = await createDecoder({ channels: 1, sampleRate });
  try {
    for await (const { bytes, discardStart, discardEnd } of packets) {
      const samples = decodePacket(decoder, bytes);
      const start = Math.round((discardStart * sampleRate) / clockRate);
      const end = samples.length - Math.round((discardEnd * sampleRate) / clockRate);
      if (end > start) yield { samples: samples.slice(start, end), sampleRate, channels };
    }
  } finally {
    decoder.free();
  }
}

function decodePacket(decoder: Awaited<ReturnType<typeof createDecoder>>, bytes: Uint8Array): Float32Array {
  try {
    return decoder.decodeFloat(bytes);
  } catch {
    // A damaged packet is a gap, as on any line.
    return new Float32Array(0);
  }
}

import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { readOgg } from '../../speech/testing/read-ogg.ts';

/** An m4a file of AAC packets that hold silence. */
export function makeM4a(seconds: number): Promise<Uint8Array> {
  // One packet of silence, AAC-LC, mono: 1024 samples.
  const packet = new Uint8Array([0x01, 0x18, 0x20, 0x07]);
  const length = 1024 / 44_100;
  const packets = Array.from({ length: Math.ceil(seconds / length) }, () => packet);
  const description = new Uint8Array([0x12, 0x08]);
  const config = { codec: 'mp4a.40.2', sampleRate: 44_100, numberOfChannels: 1, description };
  return makeFile(new Mp4OutputFormat(), 'aac', packets, length, config);
}

/** The packets of an Ogg Opus file, put into a WebM file. */
export function makeWebm(ogg: Uint8Array): Promise<Uint8Array> {
  const [head, , ...pages] = readOgg(ogg);
  const packets = pages.flatMap((page) => page.packets);
  const description = new Uint8Array(head?.packets[0] ?? []);
  const config = { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, description };
  return makeFile(new WebMOutputFormat(), 'opus', packets, 0.02, config);
}

async function makeFile(
  format: OutputFormat,
  codec: 'aac' | 'opus',
  packets: readonly Uint8Array[],
  length: number,
  decoderConfig: {
    readonly codec: string;
    readonly sampleRate: number;
    readonly numberOfChannels: number;
    readonly description: Uint8Array;
  },
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  for (const [index, packet] of packets.entries()) {
    await source.add(new EncodedPacket(packet, 'key', index * length, length), { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

import { joinBytes, OggWriter, viewOf, writeOggComments, writeOpusHead } from '@speech-api/audio';
import { createEncoder } from 'libopus-wasm';
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders';
import { openPcm } from '../formats/wav.ts';
import { cutRecording, type RecordingPart } from '../index.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export async function collect<Item>(parts: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

/** All parts of a recording. */
export async function cutAll(...call: Parameters<typeof cutRecording>): Promise<RecordingPart[]> {
  return collect(cutRecording(...call));
}

/** Noise that is the same in every run and nowhere repeats. */
export function noise(length: number, seed = 1): Float32Array<ArrayBuffer> {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 0.6;
  });
}

/** A 16-bit wav file of one channel. */
export function wavFile(sound: Float32Array, sampleRate: number): Bytes {
  const bytes = new Uint8Array(2 * sound.length);
  for (const [index, sample] of sound.entries())
    viewOf(bytes).setInt16(2 * index, Math.round(sample * 32_767), true);
  return joinBytes(openPcm([1, 16], 1, sampleRate).track.write([{ bytes, samples: sound.length }]));
}

/** An mp3 file of one channel, without any tag. */
export async function mp3File(sound: Float32Array, sampleRate: 22_050 | 44_100 = 44_100): Promise<Bytes> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate, channels: 1, bitrate: 64 });
  const body = encoder.encode([sound]).slice();
  return joinBytes([body, encoder.finalize().slice()]);
}

/** Cuts bytes into pieces, as a stream delivers them. */
export function inPieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

/** An Ogg Vorbis file of one channel at 44.1 kHz. */
export async function vorbisFile(sound: Float32Array): Promise<Bytes> {
  const encoder = await createOggEncoder();
  encoder.configure({ sampleRate: 44_100, channels: 1, vbrQuality: 1 });
  const body = encoder.encode([sound]).slice();
  return joinBytes([body, encoder.finalize().slice()]);
}

/** A silent frame of AAC. */
const silentAac = Uint8Array.of(0x01, 0x18, 0x20, 0x07);

/** An adts file of silence at 44.1 kHz, 1024 samples a frame. */
export function adtsFile(frames: number): Bytes {
  const frame = Uint8Array.of(0xff, 0xf1, 0x50, 0x40, 0x01, 0x7f, 0xfc, ...silentAac);
  return joinBytes(new Array<Uint8Array>(frames).fill(frame));
}

/** The same frames as an m4a file. */
export function m4aFile(frames: number): Promise<Bytes> {
  const config = { codec: 'mp4a.40.2', sampleRate: 44_100, description: Uint8Array.of(0x12, 0x08) };
  const packet = (index: number) =>
    new EncodedPacket(silentAac, 'key', (index * 1024) / 44_100, 1024 / 44_100);
  return pack(new Mp4OutputFormat({ fastStart: 'in-memory' }), 'aac', config, frames, packet);
}

/** A webm file of silent Opus, 20 ms a packet. */
export function webmFile(count: number, timeOf = (index: number): number => index * 0.02): Promise<Bytes> {
  const silence = Uint8Array.of(0xf8, 0xff, 0xfe);
  const config = { codec: 'opus', sampleRate: 48_000, description: opusHead };
  const packet = (index: number) => new EncodedPacket(silence, 'key', timeOf(index), 0.02);
  return pack(new WebMOutputFormat(), 'opus', config, count, packet);
}

/** A second of silence in a Matroska file with a track for each codec; `vp8` is a picture. */
export async function mkvFile(...codecs: readonly ('pcm-s16' | 'pcm-s16be' | 'vp8')[]): Promise<Bytes> {
  const target = new BufferTarget();
  const output = new Output({ format: new MkvOutputFormat(), target });
  const tracks = codecs.map((codec) => {
    const picture = new EncodedVideoPacketSource('vp8');
    const sound = new EncodedAudioPacketSource(codec === 'vp8' ? 'pcm-s16' : codec);
    if (codec === 'vp8') output.addVideoTrack(picture);
    else output.addAudioTrack(sound);
    return (packet: EncodedPacket) =>
      codec === 'vp8'
        ? picture.add(packet, { decoderConfig: { codec, codedWidth: 16, codedHeight: 16 } })
        : sound.add(packet, { decoderConfig: { codec, sampleRate: 8000, numberOfChannels: 1 } });
  });
  await output.start();
  for (let index = 0; index < 10; index++)
    for (const add of tracks) await add(new EncodedPacket(new Uint8Array(1600), 'key', index / 10, 0.1));
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

async function pack(
  format: OutputFormat,
  codec: 'aac' | 'opus',
  config: { codec: string; sampleRate: number; description: Uint8Array },
  count: number,
  packetOf: (index: number) => EncodedPacket,
): Promise<Bytes> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  for (let index = 0; index < count; index++)
    await source.add(packetOf(index), { decoderConfig: { ...config, numberOfChannels: 1 } });
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

const preSkip = 312;
const opusHead = writeOpusHead({ channels: 1, preSkip }, 48_000);

/** An Ogg Opus file of one channel at 48 kHz, five packets a page. */
export async function opusFile(sound: Float32Array): Promise<Bytes> {
  const encoder = await createEncoder({ channels: 1, sampleRate: 48_000 });
  const packets: Uint8Array[] = [];
  for (let start = 0; start < sound.length + preSkip; start += 960) {
    const frame = new Float32Array(960);
    frame.set(sound.subarray(start, start + 960));
    packets.push(encoder.encodeFloat(frame).slice());
  }
  encoder.free();
  const writer = new OggWriter(0x7370_6368);
  const pages = [writer.headers([opusHead, writeOggComments('OpusTags', 'tests')])];
  for (let start = 0; start < packets.length; start += 5) {
    const isLast = start + 5 >= packets.length;
    const granule = isLast ? sound.length + preSkip : (start + 5) * 960;
    pages.push(writer.page(packets.slice(start, start + 5), granule, isLast));
  }
  return joinBytes(pages);
}

import { UnreadableAudioError } from '../unreadable-audio-error.ts';
import { type AdtsFramer, createAdtsFramer } from './adts.ts';
import { readFlac, readOggFlac } from './flac.ts';
import { readMp3 } from './mp3.ts';
import { readOpus } from './opus.ts';
import { type OutsideDecoder, readWithOutsideDecoder } from './outside-decoder.ts';
import { openPackets, type PacketFile } from './packets.ts';
import { type Container, sniffContainer } from './sniff.ts';
import type { Sound, SoundBlock } from './sound.ts';
import { readWav } from './wav.ts';

export interface OpenOptions {
  /** A decoder for what is not decoded here. */
  readonly outside?: OutsideDecoder | undefined;
  /** Seconds after which nobody listens any more. */
  readonly mostSeconds: number;
  /** Called now and then while there is progress. */
  onProgress(): void;
}

/** Names of the outside decoder for the containers that it can read from a pipe. */
const outsideFormats: Partial<Record<Container, string>> = { ogg: 'ogg', webm: 'matroska', adts: 'aac' };

/** @throws UnreadableAudioError */
export async function openSound(bytes: Uint8Array, options: OpenOptions): Promise<Sound> {
  const container = sniffContainer(bytes);
  switch (container) {
    case undefined:
      throw new UnreadableAudioError('it is none of wav, mp3, flac, ogg, webm, m4a and aac');
    case 'wav': {
      const { measured, blocks } = readWav(bytes);
      return blocks === undefined
        ? { container, codec: 'unknown', measured }
        : { container, codec: 'pcm', blocks };
    }
    case 'mp3':
      return { container, codec: 'mp3', blocks: readMp3(bytes) };
    case 'flac':
      return {
        container,
        codec: 'flac',
        blocks: readFlac(await openPackets(padded(bytes), options.onProgress)),
      };
    case 'ogg':
      if (isOggFlac(bytes)) return { container, codec: 'flac', blocks: readOggFlac(bytes) };
      return openPacketFile(bytes, container, options);
    default:
      return openPacketFile(bytes, container, options);
  }
}

async function openPacketFile(bytes: Uint8Array, container: Container, options: OpenOptions): Promise<Sound> {
  const file = await openPackets(bytes, options.onProgress);
  const { codec, measured } = file;
  if (codec === 'opus') return { container, codec, blocks: readOpus(file, options.onProgress) };
  const framer = container === 'mp4' && codec === 'aac' ? createAdtsFramer(file.description) : undefined;
  const format = framer ? 'aac' : outsideFormats[container];
  if (options.outside === undefined || format === undefined) return { container, codec, measured };
  const source = { channels: measured.channels, mostSeconds: options.mostSeconds };
  const input = framer ? await framedPackets(file, framer) : [bytes];
  const decoded = readWithOutsideDecoder(options.outside, format, input, source);
  return { container, codec, blocks: trim(decoded, Math.max(0, -file.start), measured.seconds) };
}

/** Takes off what the container says is not part of the recording. */
async function* trim(
  blocks: AsyncIterable<SoundBlock>,
  skip: number,
  keep: number,
): AsyncGenerator<SoundBlock> {
  let position = 0;
  for await (const block of blocks) {
    const first = Math.round(skip * block.sampleRate);
    const last = first + Math.round(keep * block.sampleRate);
    const samples = block.samples.subarray(Math.max(0, first - position), Math.max(0, last - position));
    position += block.samples.length;
    if (samples.length > 0) yield { ...block, samples };
  }
}

async function framedPackets(file: PacketFile, framer: AdtsFramer): Promise<Uint8Array[]> {
  const framed: Uint8Array[] = [];
  for await (const packet of file.packets()) framed.push(framer(packet.data));
  return framed;
}

/** The container's reader overlooks a last frame of a few bytes; nothing but zeros after it does no harm. */
function padded(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, Buffer.alloc(64)]);
}

/** By the first packet, which begins after the segment table of the first page. */
function isOggFlac(bytes: Uint8Array): boolean {
  const start = 27 + (bytes[26] ?? 0);
  return String.fromCharCode(...bytes.subarray(start + 1, start + 5)) === 'FLAC';
}

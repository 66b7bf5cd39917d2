import { createResampler, type Resampler } from '../speech/output/resampler.ts';
import { readFlac, readMp3, readOggFlac } from './decoders.ts';
import { oggLinks, readAdts } from './frames.ts';
import { type Listener, listeningRate } from './measure.ts';
import {
  type AdtsFramer,
  createAdtsFramer,
  type OutsideDecoder,
  readWithOutsideDecoder,
} from './outside-decoder.ts';
import { openPackets, type PacketFile, readOpus } from './packets.ts';
import {
  afterTags,
  type Container,
  type Sound,
  type SoundBlock,
  sniffContainer,
  UnreadableAudioError,
} from './sound.ts';
import type { FileFacts } from './uploads.ts';
import { readWav } from './wav.ts';

/** Hz. What says to be slower or faster is damaged. */
const slowestRate = 1000;
const fastestRate = 768_000;

/**
 * Decodes a file and gives its sound to listeners, block by block: a recording of any length takes the same memory.
 *
 * @throws UnreadableAudioError
 */
export async function listen(
  bytes: Uint8Array,
  listeners: readonly Listener[],
  options: OpenOptions,
): Promise<FileFacts> {
  const { container, codec, blocks, measured } = await openSound(bytes, options);
  if (blocks === undefined) {
    if (!measured || !Number.isFinite(measured.seconds))
      throw new UnreadableAudioError('it has no sound that can be measured');
    checkRate(measured.sampleRate);
    const { seconds, sampleRate, channels } = measured;
    return { container, codec, sampleRate, channels, duration: seconds, cut: false, decoded: false };
  }
  const ears = new Ears(listeners);
  let first: SoundBlock | undefined;
  let duration = 0;
  for await (const block of blocks) {
    checkRate(block.sampleRate);
    first ??= block;
    await ears.hear(block);
    duration += block.samples.length / block.sampleRate;
    if (duration > options.maximumSeconds) break;
  }
  ears.end();
  if (first === undefined) throw new UnreadableAudioError('no sound could be decoded from it');
  const { sampleRate, channels } = first;
  // A sum of many fractions is not a whole number of seconds where the samples are.
  duration = Math.round(duration * 1e9) / 1e9;
  const cut = duration > options.maximumSeconds;
  return { container, codec, sampleRate, channels, duration, cut, decoded: true };
}

/** Brings every block to the rate of listening. */
class Ears {
  readonly #listeners: readonly Listener[];
  #rate: number | undefined;
  #resampler: Resampler | undefined;

  constructor(listeners: readonly Listener[]) {
    this.#listeners = listeners;
  }

  async hear({ samples, sampleRate }: SoundBlock): Promise<void> {
    if (sampleRate !== this.#rate) {
      // Files that were joined can change their rate on the way.
      this.end();
      this.#rate = sampleRate;
      if (sampleRate !== listeningRate) this.#resampler = await createResampler(sampleRate, listeningRate);
    }
    this.#tell(this.#resampler ? this.#resampler.write(samples) : samples);
  }

  end(): void {
    if (this.#resampler) {
      this.#tell(this.#resampler.end());
      this.#resampler.free();
      this.#resampler = undefined;
    }
  }

  #tell(samples: Float32Array): void {
    for (const listener of this.#listeners) listener.push(samples);
  }
}

function checkRate(sampleRate: number): void {
  if (sampleRate >= slowestRate && sampleRate <= fastestRate) return;
  throw new UnreadableAudioError(`its sample rate of ${sampleRate} Hz is none that sound has`);
}

export interface OpenOptions {
  /** A decoder for what is not decoded here. */
  readonly outside?: OutsideDecoder | undefined;
  /** Seconds after which nobody listens any more. */
  readonly maximumSeconds: number;
}

/** Names of the outside decoder for the containers that it can read from a pipe. */
const outsideFormats: Partial<Record<Container, string>> = { ogg: 'ogg', webm: 'matroska' };

/** @throws UnreadableAudioError */
export async function openSound(bytes: Uint8Array, options: OpenOptions): Promise<Sound> {
  const container = sniffContainer(bytes);
  switch (container) {
    case undefined:
      throw new UnreadableAudioError('it is none of wav, mp3, flac, ogg, webm, m4a and aac');
    case 'wav':
      return { container, codec: 'pcm', blocks: readWav(bytes) };
    case 'mp3':
      return { container, codec: 'mp3', blocks: readMp3(bytes) };
    case 'flac':
      return { container, codec: 'flac', blocks: readFlac(await openPackets(padded(bytes))) };
    case 'ogg':
      return openOgg(bytes, options);
    case 'adts':
      return openAdts(bytes, options);
    default:
      return openPacketFile(bytes, container, options);
  }
}

/** Files that were joined are heard one after the other. */
async function openOgg(bytes: Uint8Array, options: OpenOptions): Promise<Sound> {
  const links: Sound[] = [];
  for (const link of oggLinks(bytes)) links.push(await openOggLink(link, options));
  const [first] = links;
  if (first === undefined) throw new UnreadableAudioError('it has no whole page of Ogg');
  const blocks = links.flatMap((link) => (link.blocks === undefined ? [] : [link.blocks]));
  if (blocks.length === links.length) return { ...first, blocks: oneAfterTheOther(blocks) };
  const measured = links.flatMap((link) => link.measured ?? []);
  if (measured.length < links.length || first.measured === undefined) {
    throw new UnreadableAudioError('it joins recordings of several formats');
  }
  const seconds = measured.reduce((sum, each) => sum + each.seconds, 0);
  const { container, codec } = first;
  return { container, codec, measured: { ...first.measured, seconds } };
}

async function* oneAfterTheOther(all: readonly NonNullable<Sound['blocks']>[]): AsyncGenerator<SoundBlock> {
  for (const blocks of all) yield* blocks;
}

async function openOggLink(bytes: Uint8Array, options: OpenOptions): Promise<Sound> {
  if (isOggFlac(bytes)) return { container: 'ogg', codec: 'flac', blocks: readOggFlac(bytes) };
  return openPacketFile(bytes, 'ogg', options);
}

/** More damage than this is an error. */
const mostLost = 0.5;

function openAdts(bytes: Uint8Array, { outside, maximumSeconds }: OpenOptions): Sound {
  const file = readAdts(bytes, afterTags(bytes));
  if (file === undefined) throw new UnreadableAudioError('no frame of AAC is in it');
  if (file.lost > mostLost) throw new UnreadableAudioError('most of its frames are damaged');
  const { frames, channels, sampleRate, seconds } = file;
  const sound = { container: 'adts', codec: 'aac' } as const;
  if (outside === undefined) return { ...sound, measured: { seconds, sampleRate, channels } };
  const decoded = readWithOutsideDecoder(outside, 'aac', frames, { channels, maximumSeconds });
  return { ...sound, blocks: trim(decoded, 0, seconds) };
}

async function openPacketFile(bytes: Uint8Array, container: Container, options: OpenOptions): Promise<Sound> {
  const file = await openPackets(bytes);
  const { codec, measured } = file;
  if (codec === 'opus') return { container, codec, blocks: readOpus(file) };
  const framer = container === 'mp4' && codec === 'aac' ? createAdtsFramer(file.description) : undefined;
  const format = framer ? 'aac' : outsideFormats[container];
  if (options.outside === undefined || format === undefined) return { container, codec, measured };
  const source = { channels: measured.channels, maximumSeconds: options.maximumSeconds };
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

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Container,
  createMp3FrameWalker,
  createOggPageWalker,
  createOpusReader,
  id3Bytes,
  type OggPage,
  recogniseContainer,
} from '@speech-api/audio';
import {
  type ContainerPacket,
  type ContainerTrack,
  type DemuxedContainer,
  openContainer,
  readFlacInformation,
} from '@speech-api/audio/containers';
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { createDecoder } from 'libopus-wasm';
import { MPEGDecoder } from 'mpg123-decoder';
import { joinArrays, joinBytes } from '../speech/output/samples.ts';
import { type SoundBlock, UnreadableAudioError } from './sound.ts';
import { readWav } from './wav.ts';

export interface Sound {
  readonly container: Container;
  /** Such as `pcm`, `mp3`, `aac`. */
  readonly codec: string;
  /** The sound in order; `undefined` where this machine has no decoder for the codec. */
  readonly blocks?: AsyncIterable<SoundBlock> | Iterable<SoundBlock>;
  /** Measurements from the container's packets, if nothing decodes them. */
  readonly measured?: { readonly seconds: number; readonly sampleRate: number; readonly channels: number };
}

export interface DecodingOptions {
  /** Path of an `ffmpeg` for what is not decoded here. */
  readonly outsideDecoder: string | undefined;
  /** Seconds after which the rest is not read. */
  readonly maximumSeconds: number;
  /** Called for each stretch that was read. */
  readonly onProgress: () => void;
}

/** @throws UnreadableAudioError, and what the readers throw for a damaged file */
export async function openSound(file: Uint8Array, options: DecodingOptions): Promise<Sound> {
  let bytes = file;
  for (let tag = id3Bytes(bytes); tag > 0; tag = id3Bytes(bytes)) bytes = bytes.subarray(tag);
  const recognised = recogniseContainer(bytes);
  if (recognised === undefined || !('container' in recognised))
    throw new UnreadableAudioError('it is none of wav, mp3, flac, ogg, webm, m4a and aac');
  const { container } = recognised;
  if (container === 'wav') return { container, codec: 'pcm', blocks: readWav(bytes) };
  if (container === 'mp3') return { container, codec: 'mp3', blocks: readMp3(bytes) };
  // A page of Ogg begins with the name of its codec, behind the segment table.
  const codecName = container === 'ogg' ? String.fromCharCode(...bytes.subarray(28, 36)) : '';
  if (codecName.startsWith('\u007fFLAC'))
    return { container, codec: 'flac', blocks: readFlac(oggFlacPackets(bytes)) };
  if (codecName === 'OpusHead') return { container, codec: 'opus', blocks: readOggOpus(bytes) };
  return openTrack(bytes, container, options);
}

/** Formats of the outside decoder for each container, so that it need not guess. */
const outsideFormats: Partial<Record<Container, string>> = {
  ogg: 'ogg',
  webm: 'matroska',
  mp4: 'mov',
  adts: 'aac',
};

async function openTrack(
  bytes: Uint8Array,
  container: DemuxedContainer,
  options: DecodingOptions,
): Promise<Sound> {
  const read = async (start: number, end: number): Promise<Uint8Array> => bytes.subarray(start, end);
  const { tracks } = await openContainer(container, { size: bytes.length, read });
  const [track] = tracks;
  if (track === undefined) throw new UnreadableAudioError('there is no sound track in it');
  const { codec, sampleRate, channels } = track;
  if (container === 'flac') return { container, codec, blocks: readFlac(wholePackets(track)) };
  if (codec === 'opus')
    return {
      container,
      codec,
      blocks: readOpus(wholePackets(track), preSkipOf(track.description), channels),
    };
  const format = outsideFormats[container];
  if (options.outsideDecoder === undefined || format === undefined) {
    return { container, codec, measured: { seconds: await measure(track, options), sampleRate, channels } };
  }
  return { container, codec, blocks: readOutside(options.outsideDecoder, format, bytes, channels, options) };
}

/** Bytes decoded at a time: 16 KiB are 16 seconds at the lowest bitrate. */
const bytesABlock = 16_384;

/** Frames are found and decoded one after another; the frame count in a header is ignored. */
async function* readMp3(bytes: Uint8Array): AsyncGenerator<SoundBlock> {
  const walker = createMp3FrameWalker();
  const decoder = new MPEGDecoder();
  await decoder.ready;
  for (let start = 0; start < bytes.length; start += bytesABlock) {
    const isEnd = start + bytesABlock >= bytes.length;
    const frames = [
      ...walker.push(bytes.subarray(start, start + bytesABlock)),
      ...(isEnd ? walker.end() : []),
    ];
    const [first] = frames;
    if (first === undefined) continue;
    // The decoder gives two channels whatever the file has.
    for (const block of blockOf(decoder.decode(joinBytes(frames.map((frame) => frame.bytes)))))
      yield { ...block, channels: first.channels };
  }
}

/** The packets of a track. @throws UnreadableAudioError after the last one, where the file should have more */
async function* wholePackets(track: ContainerTrack): AsyncGenerator<ContainerPacket> {
  let end = 0;
  for await (const packet of track.packets()) {
    end = packet.timestamp + packet.duration;
    yield packet;
  }
  const samples = track.codec === 'flac' ? readFlacInformation(track.description).samples : 0;
  if (Math.round(end * track.sampleRate) < samples || (await track.breaksOff())) throw damagedAfter(end);
}

function damagedAfter(seconds: number): UnreadableAudioError {
  return new UnreadableAudioError(`it is damaged or cut off after ${seconds.toFixed(1)} s`);
}

const framesABlock = 16;

/** Frames of FLAC. They are cut by the container's reader: the decoder's own loses the last one. */
async function* readFlac(
  packets: AsyncIterable<Pick<ContainerPacket, 'data'>> | Iterable<Pick<ContainerPacket, 'data'>>,
): AsyncGenerator<SoundBlock> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  let frames: Uint8Array[] = [];
  for await (const packet of packets) {
    frames.push(packet.data);
    if (frames.length < framesABlock) continue;
    yield* blockOf(await decoder.decodeFrames(frames));
    frames = [];
  }
  yield* blockOf(await decoder.decodeFrames(frames));
}

/** The packets of FLAC in Ogg, which the container's reader does not know. Those of the head begin otherwise than frames. */
function oggFlacPackets(bytes: Uint8Array): { readonly data: Uint8Array }[] {
  // The stream information lies behind 28 bytes of the first page and 9 of its packet.
  const pages = wholePages(bytes, readFlacInformation(bytes.subarray(37)).sampleRate);
  const packets = pages.flatMap((page) => page.packets);
  return packets.filter(([first]) => first === 0xff).map((data) => ({ data }));
}

interface Decoded {
  readonly channelData: Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

function* blockOf({ channelData, samplesDecoded, sampleRate }: Decoded): Generator<SoundBlock> {
  if (samplesDecoded === 0) return;
  const mixed = new Float32Array(samplesDecoded);
  for (const channel of channelData) {
    for (let index = 0; index < mixed.length; index += 1) {
      mixed[index] = (mixed[index] ?? 0) + (channel[index] ?? 0) / channelData.length;
    }
  }
  yield { samples: mixed, sampleRate, channels: channelData.length };
}

/** Seconds, counted packet by packet: the length in the container is only a claim. */
async function measure(
  track: ContainerTrack,
  { maximumSeconds, onProgress }: DecodingOptions,
): Promise<number> {
  let start: number | undefined;
  let end = 0;
  for await (const { timestamp, duration } of track.packets(true)) {
    // Audio before zero is an encoder's delay and is not heard.
    start ??= Math.max(0, timestamp);
    if (timestamp + duration <= end) continue;
    end = timestamp + duration;
    onProgress();
    if (end > maximumSeconds) break;
  }
  if (start === undefined) throw new UnreadableAudioError('its sound track is empty');
  return end - start;
}

/** Hz. The decoders give what is asked for, and speech is listened to at this rate. */
const sampleRate = 8000;
/** Hz. Opus counts in samples of this rate. */
const opusClockRate = 48_000;
/** Samples in the longest possible packet. */
const longestPacket = 0.12 * sampleRate;

/**
 * The pages of an Ogg file. What was recorded from a stream may begin and end anywhere.
 *
 * @param clockRate - Hz of the positions that the pages state
 * @throws UnreadableAudioError where a page is damaged or missing
 */
function wholePages(bytes: Uint8Array, clockRate: number): OggPage[] {
  const walker = createOggPageWalker();
  let seconds = 0;
  let isEnded = false;
  const pages = walker.push(bytes);
  for (const { granulePosition = 0, isAfterLoss, isLast } of pages) {
    if (isAfterLoss && seconds > 0) throw damagedAfter(seconds);
    seconds = Math.max(seconds, granulePosition / clockRate);
    isEnded = isLast;
  }
  if (walker.skippedBytes > 0 && !isEnded) throw damagedAfter(seconds);
  return pages;
}

/** Opus in Ogg, up to where the file was cut off. */
async function* readOggOpus(bytes: Uint8Array): AsyncGenerator<SoundBlock> {
  wholePages(bytes, opusClockRate);
  const reader = createOpusReader();
  const packets = reader.push(bytes);
  let position = 0;
  const placed = packets.map(({ bytes: data, samples, discardStart, discardEnd }) => {
    const timestamp = position / opusClockRate;
    const heardSamples = samples - discardStart - discardEnd;
    position += heardSamples;
    return { data, timestamp, duration: heardSamples / opusClockRate };
  });
  const { channels = 1, preSkip = 0 } = reader.head ?? {};
  yield* readOpus(placed, preSkip, channels);
}

/**
 * The sound of packets; what encoders put before it is taken off, and what they put after it.
 *
 * @param preSkip - samples of the codec to be thrown away at the start
 */
async function* readOpus(
  packets: AsyncIterable<ContainerPacket> | Iterable<ContainerPacket>,
  preSkip: number,
  channels: number,
): AsyncGenerator<SoundBlock> {
  const start = toSamples(preSkip / opusClockRate);
  const decoder = await createDecoder({ channels: 1, sampleRate });
  let position = 0;
  let begin: number | undefined;
  let end = 0;
  // As much as the last packet may have too much is kept back until the end of the file is known.
  let tail: Float32Array = new Float32Array(0);
  const block = (samples: Float32Array): SoundBlock => ({ samples, sampleRate, channels });
  try {
    for await (const packet of packets) {
      begin ??= Math.max(0, packet.timestamp);
      end = Math.max(end, packet.timestamp + packet.duration);
      const samples = decodePacket(decoder, packet.data);
      const part = samples.subarray(Math.max(0, start - position));
      position += samples.length;
      const joined = joinArrays<Float32Array>(Float32Array, [tail, part]);
      tail = joined.slice(-longestPacket);
      if (joined.length > tail.length) yield block(joined.subarray(0, -tail.length));
    }
  } finally {
    decoder.free();
  }
  // An end in the container that trims at most one packet is trusted: encoders pad their last packet.
  const filling = position - start - toSamples(end - (begin ?? 0));
  const isFilling = filling > 0 && filling < longestPacket;
  if (tail.length > 0) yield block(isFilling ? tail.subarray(0, Math.max(0, tail.length - filling)) : tail);
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
    return decoder.decodeFloat(bytes).slice();
  } catch {
    // A damaged packet is a gap, as on any line.
    return new Float32Array(0);
  }
}

/** Seconds of processor time after which the outside decoder ends itself: an hour of AAC takes about ten. */
const outsideSeconds = 60;

/**
 * Decodes with an `ffmpeg`, which has to jump in a file. It is given one that has no name any more and is gone with the
 * process, and gives samples over a pipe, whose end with this thread ends it, too.
 */
async function* readOutside(
  program: string,
  format: string,
  bytes: Uint8Array,
  channels: number,
  { maximumSeconds }: DecodingOptions,
): AsyncGenerator<SoundBlock> {
  const path = join(tmpdir(), `speech-sandbox-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  await file.write(bytes, 0, bytes.length, 0);
  const command = [
    `-nostdin -v quiet -threads 1 -timelimit ${outsideSeconds} -protocol_whitelist file,pipe`,
    `-f ${format} -i /dev/stdin -map 0:a:0 -t ${maximumSeconds} -ac 1 -ar ${sampleRate} -f s16le pipe:1`,
  ];
  const child = spawn(program, command.join(' ').split(' '), { stdio: [file.fd, 'pipe', 'ignore'], env: {} });
  await once(child, 'spawn');
  await file.close();
  let odd: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const joined = Buffer.concat([odd, chunk]);
      const samples = new Float32Array(joined.length >> 1);
      for (let index = 0; index < samples.length; index += 1)
        samples[index] = joined.readInt16LE(2 * index) / 32768;
      odd = joined.subarray(samples.length * 2);
      if (samples.length > 0) yield { samples, sampleRate, channels };
    }
  } finally {
    child.kill('SIGKILL');
  }
}

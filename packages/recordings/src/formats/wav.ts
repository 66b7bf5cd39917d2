import { ascii, type ByteQueue, hasText, viewOf } from '../bytes.ts';
import { damaged as damagedFile, unsupported } from '../errors.ts';
import {
  channelsOf,
  createReader,
  type JoinedWriter,
  type Packet,
  type PacketCodec,
  type Track,
  type TrackEvent,
  type TrackReader,
} from './track.ts';

/** Contents of the chunk `fmt `; its bytes are kept as they are. */
interface WavFormat {
  readonly bytes: Uint8Array;
  readonly tag: number;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bytesPerFrame: number;
  readonly bits: number;
}

/** Blocks are short compared with any pause; each block is an object. */
const blockSeconds = 0.1;
/** Lists and pictures behind the samples of a stream are no larger. */
const maximumChunkBytes = 64 * 1024 * 1024;
// Streaming writers put the largest size of 31 or 32 bits, or a little less: SoX puts 0x7FFFF000.
const placeholderBits = 0x7fff_0000;
const encodings: Readonly<Record<number, string>> = { 1: 'PCM', 3: 'float', 6: 'A-law', 7: 'mu-law' };

/**
 * RIFF wav, and RF64 or BW64 for what is larger than 4 GiB.
 *
 * @param fileBytes - of the whole file, where that is known
 */
export function createWavReader(fileBytes = Number.POSITIVE_INFINITY): TrackReader {
  return createReader(function* (queue) {
    const { format, dataBytes } = yield* readChunks(queue);
    const { bytesPerFrame, sampleRate } = format;
    const present = fileBytes - queue.position;
    const isShort = Number.isFinite(dataBytes) && dataBytes - present >= bytesPerFrame;
    const breaksOffAfter = isShort ? present / bytesPerFrame / sampleRate : undefined;
    yield { type: 'track', track: createWavTrack(format), breaksOffAfter };
    const missing = yield* readSamples(queue, format, dataBytes);
    const isTruncated = Number.isFinite(missing) && missing >= bytesPerFrame;
    if (!isTruncated && (yield* goesOn(queue, missing, dataBytes, fileBytes)))
      yield* readSamples(queue, format, Number.POSITIVE_INFINITY);
    yield* queue.skip(Number.POSITIVE_INFINITY);
    yield { type: 'track-end', trimmedSamples: 0, isTruncated };
  });
}

/** Reads everything before the samples. @returns their format and their announced size in bytes */
function* readChunks(queue: ByteQueue): Generator<undefined, { format: WavFormat; dataBytes: number }> {
  let format: WavFormat | undefined;
  let largeDataBytes = 0;
  yield* queue.has(12);
  const isLarge = !hasText(queue.take(12), 0, 'RIFF');
  while (yield* queue.has(8)) {
    const size = viewOf(queue.peek()).getUint32(4, true);
    const isChunk = (name: string): boolean => hasText(queue.peek(), 0, name);
    if (isChunk('data')) {
      if (format === undefined) throw damaged('it has samples before their format');
      queue.take(8);
      const isPlaceholder = size === 0 || (size & placeholderBits) === placeholderBits;
      return { format, dataBytes: isPlaceholder ? largeDataBytes || Number.POSITIVE_INFINITY : size };
    }
    if ((isChunk('fmt ') || isChunk('ds64')) && (yield* queue.has(8 + size))) {
      const content = queue.peek().slice(8, 8 + size);
      if (isChunk('fmt ')) format = readFormat(content);
      else if (isLarge && size >= 16) largeDataBytes = Number(viewOf(content).getBigUint64(8, true));
    }
    // Chunks begin at even positions.
    yield* queue.skip(8 + size + (size & 1));
  }
  throw damaged('it ends before its samples begin');
}

/** Reads up to this many bytes of samples. @returns the number of missing bytes */
function* readSamples(
  queue: ByteQueue,
  format: WavFormat,
  dataBytes: number,
): Generator<TrackEvent | undefined, number> {
  const { bytesPerFrame } = format;
  for (let rest = dataBytes; ; ) {
    const blockBytes = Math.min(blockBytesOf(format), rest);
    yield* queue.has(blockBytes);
    const available = Math.min(blockBytes, queue.length);
    const bytes = queue.take(available - (available % bytesPerFrame));
    if (bytes.length === 0) return rest;
    rest -= bytes.length;
    yield { type: 'packet', packet: { bytes, samples: bytes.length / bytesPerFrame } };
  }
}

/**
 * True if samples continue beyond the announced size. Chunks may follow; other bytes are sound that the header does not
 * count, as in the file of a recorder that crashed, or one beyond 4 GiB whose sizes wrapped.
 */
function* goesOn(
  queue: ByteQueue,
  missing: number,
  dataBytes: number,
  fileBytes: number,
): Generator<undefined, boolean> {
  // The last announced frame may be incomplete, and chunks begin at even positions.
  const from = missing + (dataBytes & 1);
  if (!(yield* queue.has(from + 8))) return false;
  const received = queue.position + queue.length;
  return ![from, missing].some((start) => {
    const bytes = queue.peek().subarray(start);
    if (!bytes.subarray(0, 4).every((byte) => byte >= 0x20 && byte <= 0x7e)) return false;
    const end = queue.position + 8 + viewOf(bytes).getUint32(4, true);
    return end <= Math.min(fileBytes, received + maximumChunkBytes) + 2;
  });
}

function readFormat(bytes: Uint8Array): WavFormat {
  if (bytes.length < 16) throw damaged('its format is too short');
  const view = viewOf(bytes);
  const written = view.getUint16(0, true);
  // "Extensible": the real tag is the head of a GUID.
  const tag = written === 0xfffe && bytes.length >= 26 ? view.getUint16(24, true) : written;
  const format = {
    bytes,
    tag,
    channels: view.getUint16(2, true),
    sampleRate: view.getUint32(4, true),
    bytesPerFrame: view.getUint16(12, true),
    bits: view.getUint16(14, true),
  };
  if (encodings[tag] === undefined) {
    throw unsupported(`a wav file of codec 0x${tag.toString(16).padStart(4, '0')}`);
  }
  const { channels, sampleRate, bytesPerFrame, bits } = format;
  const isFrame = bytesPerFrame > 0 && bytesPerFrame === channels * Math.ceil(bits / 8);
  if (!isFrame || sampleRate < 1000 || sampleRate > 1_000_000)
    throw damaged(
      `its format says ${bytesPerFrame} bytes for ${channels} samples of ${bits} bits at ${sampleRate} Hz`,
    );
  return format;
}

/** A tag of the chunk `fmt `, and the bits of a sample. */
export type PcmEncoding = readonly [tag: number, bits: number];

/** The samples of another container, whose packets may hold many of them. */
export function openPcm(encoding: PcmEncoding, channels: number, sampleRate: number): PacketCodec {
  const format = formatOf(encoding, channels, sampleRate);
  const samplesOf = ({ length }: Uint8Array): number => Math.floor(length / format.bytesPerFrame);
  return { track: createWavTrack(format), samplesOf, pieceBytes: blockBytesOf(format), skipIsInHead: true };
}

function blockBytesOf({ sampleRate, bytesPerFrame }: WavFormat): number {
  return Math.max(1, Math.round(sampleRate * blockSeconds)) * bytesPerFrame;
}

function formatOf([tag, bits]: PcmEncoding, channels: number, sampleRate: number): WavFormat {
  const bytes = new Uint8Array(16);
  const view = viewOf(bytes);
  const frameBytes = (channels * bits) / 8;
  view.setUint16(0, tag, true);
  view.setUint16(2, channels, true);
  view.setUint32(4, sampleRate, true);
  view.setUint32(8, sampleRate * frameBytes, true);
  view.setUint16(12, frameBytes, true);
  view.setUint16(14, bits, true);
  return readFormat(bytes);
}

function createWavTrack(format: WavFormat): Track {
  const headerBytes = 12 + 8 + format.bytes.length + (format.bytes.length & 1) + 8;
  return {
    description: `wav (${format.bits}-bit ${encodings[format.tag]}, ${channelsOf(format.channels)}, ${format.sampleRate} Hz)`,
    extension: 'wav',
    mediaType: 'audio/wav',
    sampleRate: format.sampleRate,
    skippedSamples: 0,
    warmUpSeconds: 0,
    tailPackets: 0,
    headerBytes,
    packetOverhead: () => 0,
    write: (packets) => writeWav(format, headerBytes, packets),
    startJoined: () => ({ writer: createWavWriter(format, headerBytes), skippedSamples: 0 }),
    decode: async (file) => {
      const every = Math.max(1, Math.floor(format.sampleRate / 8000));
      const channels = decodeWav(format, file.subarray(headerBytes), every);
      return { channels, sampleRate: format.sampleRate / every };
    },
  };
}

function writeWav(format: WavFormat, headerBytes: number, packets: readonly Packet[]): Uint8Array[] {
  const dataBytes = packets.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const header = writeHeader(format, headerBytes, dataBytes);
  return [header, ...packets.map(({ bytes }) => bytes), new Uint8Array(dataBytes & 1)];
}

/** @param dataBytes - infinite for a stream, whose sizes are set to the maximum */
function writeHeader(format: WavFormat, headerBytes: number, dataBytes: number): Uint8Array {
  const header = new Uint8Array(headerBytes);
  const view = viewOf(header);
  header.set(ascii('RIFF'));
  view.setUint32(4, Math.min(0xffff_ffff, headerBytes + dataBytes + (dataBytes & 1) - 8), true);
  header.set(ascii('WAVEfmt '), 8);
  view.setUint32(16, format.bytes.length, true);
  header.set(format.bytes, 20);
  header.set(ascii('data'), headerBytes - 8);
  view.setUint32(headerBytes - 4, Math.min(0xffff_ffff, dataBytes), true);
  return header;
}

function createWavWriter(format: WavFormat, headerBytes: number): JoinedWriter {
  let header = [writeHeader(format, headerBytes, Number.POSITIVE_INFINITY)];
  return {
    write({ bytes }) {
      const pieces = [...header, bytes];
      header = [];
      return pieces;
    },
    end: () => [],
  };
}

/** Decodes some 8000 samples a second of each channel, enough to measure loudness. */
function decodeWav(
  { tag, bytesPerFrame, channels }: WavFormat,
  bytes: Uint8Array,
  every: number,
): readonly Float32Array[] {
  const view = viewOf(bytes);
  const width = bytesPerFrame / channels;
  const length = Math.floor(bytes.length / bytesPerFrame / every);
  return Array.from({ length: channels }, (_channel, channel) =>
    Float32Array.from({ length }, (_sample, index) =>
      readSample(view, index * every * bytesPerFrame + channel * width, width, tag),
    ),
  );
}

function readSample(view: DataView, position: number, width: number, tag: number): number {
  if (tag === 3) return width === 8 ? view.getFloat64(position, true) : view.getFloat32(position, true);
  if (tag === 6 || tag === 7) {
    // Both laws have three bits of exponent and four of mantissa, some inverted. Only the loudness is needed.
    const value = view.getUint8(position) ^ (tag === 6 ? 0x55 : 0xff);
    return ((16 + (value & 15)) << ((value >> 4) & 7)) / 4096 - 16 / 4096;
  }
  if (width === 1) return (view.getUint8(position) - 128) / 128;
  // The two highest bytes are enough for the loudness.
  return view.getInt16(position + width - 2, true) / 32_768;
}

const damaged = (what: string) => damagedFile('wav file', what);

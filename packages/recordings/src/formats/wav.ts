import { ascii, ByteQueue, hasText, join, viewOf } from '../bytes.ts';
import { damaged as damagedFile, unsupported } from '../errors.ts';
import {
  channelsOf,
  type JoinedWriter,
  type Packet,
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

/** Short against any pause; each block is an object. */
const blockSeconds = 0.1;
// Lists and pictures may come before the samples, up to a limit.
const maximumChunkBytes = 64 * 1024 * 1024;
// Writers that stream put 0xFFFFFFFF, or that minus the header.
const smallestPlaceholder = 0xffff_0000;
const encodings: Readonly<Record<number, string>> = { 1: 'PCM', 3: 'float', 6: 'A-law', 7: 'mu-law' };

/**
 * RIFF wav, and RF64 or BW64 for what is larger than 4 GiB.
 *
 * @param fileBytes - of the whole file, where that is known
 */
export function createWavReader(fileBytes = Number.POSITIVE_INFINITY): TrackReader {
  const queue = new ByteQueue();
  let received = 0;
  let state: 'head' | 'chunks' | 'samples' | 'tail' | 'after' = 'head';
  let format: WavFormat | undefined;
  let largeDataBytes: number | undefined;
  let isLarge = false;
  let toSkip = 0;
  let left = Number.POSITIVE_INFINITY;
  let hasPadding = false;

  /** @returns false while bytes are missing */
  function readChunk(events: TrackEvent[]): boolean {
    const bytes = queue.peek();
    if (bytes.length < 8) return false;
    const size = viewOf(bytes).getUint32(4, true);
    if (hasText(bytes, 0, 'data')) {
      if (format === undefined) throw damaged('it has samples before their format');
      const isPlaceholder = size === 0 || size >= smallestPlaceholder;
      left = isLarge && size === 0xffff_ffff && largeDataBytes ? largeDataBytes : size;
      if (isPlaceholder && !(isLarge && largeDataBytes)) left = Number.POSITIVE_INFINITY;
      hasPadding = (left & 1) === 1;
      queue.take(8);
      state = 'samples';
      const present = fileBytes - (received - queue.length);
      const isShort = Number.isFinite(left) && left - present >= format.bytesPerFrame;
      const breaksOffAfter = isShort ? present / format.bytesPerFrame / format.sampleRate : undefined;
      events.push({ type: 'track', track: createWavTrack(format), breaksOffAfter });
      return true;
    }
    if (size > maximumChunkBytes) throw damaged(`a chunk of ${size} bytes comes before its samples`);
    if (hasText(bytes, 0, 'fmt ') || hasText(bytes, 0, 'ds64')) {
      if (bytes.length < 8 + size) return false;
      const content = bytes.slice(8, 8 + size);
      if (hasText(bytes, 0, 'fmt ')) format = readFormat(content);
      else if (content.length >= 16) largeDataBytes = Number(viewOf(content).getBigUint64(8, true));
    }
    // Chunks begin at even positions.
    toSkip = 8 + size + (size & 1);
    return true;
  }

  /**
   * Reads what follows the samples that were announced. Chunks may; anything else is sound that the header does not count, as
   * in the file of a recorder that crashed, or one beyond 4 GiB whose sizes wrapped.
   *
   * @returns false while bytes are missing
   */
  function readTail(isEnd: boolean): boolean {
    const bytes = queue.peek();
    // The last announced frame may be incomplete, and chunks begin at even positions.
    const from = left + (hasPadding ? 1 : 0);
    if (bytes.length < from + 8 && !isEnd) return false;
    if (bytes.length >= from + 8 && ![from, left].some((count) => isChunk(bytes.subarray(count)))) {
      left = Number.POSITIVE_INFINITY;
      state = 'samples';
      return true;
    }
    state = 'after';
    return true;
  }

  /** True if a chunk begins here and ends within the file. */
  function isChunk(bytes: Uint8Array): boolean {
    if (bytes.length < 8 || !bytes.subarray(0, 4).every((byte) => byte >= 0x20 && byte <= 0x7e)) return false;
    const end = received - queue.length + 8 + viewOf(bytes).getUint32(4, true);
    return end <= Math.min(fileBytes, received + maximumChunkBytes) + 2;
  }

  function readSamples(isEnd: boolean): TrackEvent[] {
    if (format === undefined) return [];
    const { bytesPerFrame } = format;
    const blockBytes = blockBytesOf(format);
    const events: TrackEvent[] = [];
    for (;;) {
      const available = Math.min(left, queue.length);
      const isLast = isEnd || left <= queue.length;
      const wanted = isLast ? Math.min(blockBytes, available - (available % bytesPerFrame)) : blockBytes;
      if (wanted === 0 || available < wanted) break;
      left -= wanted;
      events.push({ type: 'packet', packet: { bytes: queue.take(wanted), samples: wanted / bytesPerFrame } });
    }
    return events;
  }

  return {
    push(piece) {
      queue.push(piece);
      received += piece.length;
      const events: TrackEvent[] = [];
      if (state === 'head') {
        if (queue.length < 12) return events;
        isLarge = !hasText(queue.peek(), 0, 'RIFF');
        queue.take(12);
        state = 'chunks';
      }
      while (state === 'chunks') {
        if (toSkip > 0) toSkip -= queue.take(toSkip).length;
        if (toSkip > 0 || !readChunk(events)) break;
      }
      if (state === 'samples') events.push(...readSamples(false));
      if (state === 'samples' && left < (format?.bytesPerFrame ?? 1)) state = 'tail';
      if (state === 'tail' && readTail(false) && state === ('samples' as typeof state))
        events.push(...readSamples(false));
      if (state === 'after') queue.take(queue.length);
      return events;
    },
    end() {
      if (format === undefined || state === 'chunks' || state === 'head')
        throw damaged('it ends before its samples begin');
      if (state === 'tail') readTail(true);
      const events = state === 'samples' ? readSamples(true) : [];
      const isTruncated = Number.isFinite(left) && left >= format.bytesPerFrame;
      return [...events, { type: 'track-end', trimmedSamples: 0, isTruncated }];
    },
  };
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
  if (
    format.channels === 0 ||
    format.bytesPerFrame === 0 ||
    format.sampleRate < 1000 ||
    format.sampleRate > 1_000_000
  ) {
    throw damaged(`its format says ${format.channels} channels at ${format.sampleRate} Hz`);
  }
  if (format.bytesPerFrame !== format.channels * Math.ceil(format.bits / 8)) {
    throw damaged(
      `its format says ${format.bytesPerFrame} bytes for ${format.channels} samples of ${format.bits} bits`,
    );
  }
  return format;
}

/** A tag of the chunk `fmt `, and the bits of a sample. */
export type PcmEncoding = readonly [tag: number, bits: number];

/** 16-bit sound of one channel. */
export function createPcmTrack(sampleRate: number): Track {
  return createWavTrack(formatOf([1, 16], 1, sampleRate));
}

/** Samples as another container has them, which may be many at once. */
export function createPcmReader(encoding: PcmEncoding, channels: number, sampleRate: number): TrackReader {
  const format = formatOf(encoding, channels, sampleRate);
  let head: TrackEvent[] = [{ type: 'track', track: createWavTrack(format) }];
  return {
    push(bytes) {
      const events = head;
      head = [];
      const size = blockBytesOf(format);
      for (let start = 0; start < bytes.length; start += size) {
        const block = bytes.subarray(start, start + size);
        const samples = Math.floor(block.length / format.bytesPerFrame);
        events.push({ type: 'packet', packet: { bytes: block, samples } });
      }
      return events;
    },
    end: () => [{ type: 'track-end', trimmedSamples: 0, isTruncated: false }],
  };
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
    isSmall: format.channels === 1 && format.bits <= 16 && format.sampleRate <= 16_000,
    // Of the logarithmic encodings only the loudness is read here.
    ...(format.tag === 1 || format.tag === 3 ? { toMono: (packet) => decodeWav(format, packet, 1) } : {}),
    decode: async (file) => {
      const every = Math.max(1, Math.floor(format.sampleRate / 8000));
      const samples = decodeWav(format, file.subarray(headerBytes), every);
      return { samples, sampleRate: format.sampleRate / every };
    },
  };
}

function writeWav(format: WavFormat, headerBytes: number, packets: readonly Packet[]): Uint8Array[] {
  const dataBytes = packets.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const padding = new Uint8Array(dataBytes & 1);
  const header = writeHeader(format, headerBytes);
  viewOf(header).setUint32(4, headerBytes + dataBytes + padding.length - 8, true);
  viewOf(header).setUint32(headerBytes - 4, dataBytes, true);
  return [header, ...packets.map(({ bytes }) => bytes), padding];
}

/** The sizes in it are 0. */
function writeHeader(format: WavFormat, headerBytes: number): Uint8Array {
  const header = new Uint8Array(headerBytes);
  header.set(ascii('RIFF'));
  header.set(ascii('WAVEfmt '), 8);
  viewOf(header).setUint32(16, format.bytes.length, true);
  header.set(format.bytes, 20);
  header.set(ascii('data'), headerBytes - 8);
  return header;
}

/**
 * The sizes are not known before the end; they are written as those of a stream. Room is kept first, so that a file beyond
 * 4 GiB can be made RF64 when it is finished (EBU Tech 3306).
 */
function createWavWriter(format: WavFormat, headerBytes: number): JoinedWriter {
  let isFirst = true;
  return {
    write({ bytes }) {
      if (!isFirst) return [bytes];
      isFirst = false;
      const header = writeHeader(format, headerBytes);
      for (const position of [4, headerBytes - 4]) viewOf(header).setUint32(position, 0xffff_ffff, true);
      const room = new Uint8Array(8 + 28);
      room.set(ascii('JUNK'));
      viewOf(room).setUint32(4, 28, true);
      return [join([header.subarray(0, 12), room, header.subarray(12)]), bytes];
    },
    end: () => [],
  };
}

/** All channels mixed: in a film, speech may be in one of six. Some 8000 samples a second tell the loudness. */
function decodeWav(
  { tag, bytesPerFrame, channels }: WavFormat,
  bytes: Uint8Array,
  every: number,
): Float32Array {
  const view = viewOf(bytes);
  const width = bytesPerFrame / channels;
  const samples = new Float32Array(Math.floor(bytes.length / bytesPerFrame / every));
  for (let index = 0; index < samples.length; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      sum += readSample(view, index * every * bytesPerFrame + channel * width, width, tag);
    }
    samples[index] = sum / channels;
  }
  return samples;
}

function readSample(view: DataView, position: number, width: number, tag: number): number {
  if (tag === 3) return width === 8 ? view.getFloat64(position, true) : view.getFloat32(position, true);
  if (tag === 6 || tag === 7) {
    // Both laws: three bits of exponent, four of mantissa, some of them inverted. Loudness is all that is asked for.
    const value = view.getUint8(position) ^ (tag === 6 ? 0x55 : 0xff);
    return ((16 + (value & 15)) << ((value >> 4) & 7)) / 4096 - 16 / 4096;
  }
  if (width === 1) return (view.getUint8(position) - 128) / 128;
  // The two highest bytes tell the loudness of any width.
  return view.getInt16(position + width - 2, true) / 32_768;
}

const damaged = (what: string) => damagedFile('wav file', what);

import { ascii, hasText, joinBytes, viewOf } from './bytes.ts';
import { AudioFormatError } from './errors.ts';

/** Options of {@link writeWavHeader}. */
export interface WavHeaderOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** @defaultValue 1 */
  readonly channels?: number;
  /** @defaultValue 16 */
  readonly bitsPerSample?: number;
  /** 1 for integers, 3 for floats, 6 for A-law, 7 for mu-law. @defaultValue 1 */
  readonly formatTag?: number;
  /** Bytes of samples that follow. Left out while streaming: both sizes are then written as 0xFFFFFFFF. */
  readonly dataBytes?: number;
}

/** What the head of a wav file says. */
export interface WavHeader {
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** Encoding of the samples. Only `integer` and `float` are not compressed, `a-law` and `mu-law` are those of telephones. */
  readonly encoding: 'integer' | 'float' | 'a-law' | 'mu-law' | 'other';
  /** The number of the encoding; of an extensible format the one that it wraps. */
  readonly formatTag: number;
  /** Bytes of one sample of all channels. */
  readonly bytesPerFrame: number;
  /** The content of the chunk `fmt `, which may say more. */
  readonly format: Uint8Array<ArrayBuffer>;
  /** Position of the first sample. */
  readonly dataOffset: number;
  /** Bytes of samples; undefined where a streaming writer left a placeholder. Prefer the bytes that are there. */
  readonly declaredDataBytes: number | undefined;
}

/** New values for the size fields of a file, to be written at their positions. */
export interface WavSizeFix {
  readonly position: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const riffSizePosition = 4;
const containerBytes = 12;
const chunkHeaderBytes = 8;
const placeholder = 0xffff_ffff;
// Streaming writers put the largest size of 31 or 32 bits, or a little less: SoX puts 0x7FFFF000.
const placeholderBits = 0x7fff_0000;
const extensibleTag = 0xfffe;
/** Lists and pictures behind the samples are no larger. */
const maximumChunkBytes = 64 * 1024 * 1024;

/** The 44 bytes before the samples of a wav file. */
export function writeWavHeader(options: WavHeaderOptions): Uint8Array<ArrayBuffer> {
  const { sampleRate, channels = 1, bitsPerSample = 16, formatTag = 1, dataBytes } = options;
  const bytesPerFrame = (channels * bitsPerSample) / 8;
  const format = new Uint8Array(16);
  const view = viewOf(format);
  view.setUint16(0, formatTag, true);
  view.setUint16(2, channels, true);
  view.setUint32(4, sampleRate, true);
  view.setUint32(8, sampleRate * bytesPerFrame, true);
  view.setUint16(12, bytesPerFrame, true);
  view.setUint16(14, bitsPerSample, true);
  return writeWavHeaderOf(format, dataBytes);
}

/** The bytes before the samples of a wav file. @param format - the content of its chunk `fmt ` */
export function writeWavHeaderOf(format: Uint8Array, dataBytes?: number): Uint8Array<ArrayBuffer> {
  const [file, formatHead, data] = [new Uint8Array(containerBytes), chunkHead('fmt '), chunkHead('data')];
  viewOf(formatHead).setUint32(4, format.length, true);
  viewOf(data).setUint32(4, Math.min(placeholder, dataBytes ?? placeholder), true);
  file.set(ascii('RIFF\0\0\0\0WAVE'));
  const header = joinBytes([file, formatHead, format, new Uint8Array(format.length & 1), data]);
  const fileBytes =
    dataBytes === undefined ? placeholder : header.length - chunkHeaderBytes + dataBytes + (dataBytes & 1);
  viewOf(header).setUint32(riffSizePosition, Math.min(placeholder, fileBytes), true);
  return header;
}

function chunkHead(name: string): Uint8Array<ArrayBuffer> {
  return joinBytes([ascii(name), new Uint8Array(4)]);
}

/**
 * Reads the head of a wav file.
 *
 * @param bytes - The file from its first byte; the samples need not be there.
 * @returns undefined while bytes are missing
 * @throws AudioFormatError when it is not a wav file.
 */
export function readWavHeader(bytes: Uint8Array): WavHeader | undefined {
  return createHeaderReader()(bytes)?.header;
}

/** Walks the chunks before the samples, in bytes that are cut anywhere. Holds back no more than the one of the format. */
function createHeaderReader() {
  let pending: Uint8Array = new Uint8Array(0);
  let position = 0;
  let nextChunk = containerBytes;
  let format: ReturnType<typeof readFormat> | undefined;
  let largeDataBytes: number | undefined;
  return (bytes: Uint8Array): { header: WavHeader; samples: Uint8Array } | undefined => {
    pending = joinBytes([pending, bytes]);
    if (position === 0) {
      expectText(pending, 0, 'RIFF', 'RF64', 'BW64');
      expectText(pending, 8, 'WAVE');
      if (pending.length < containerBytes) return undefined;
    }
    for (;;) {
      const passed = Math.min(nextChunk - position, pending.length);
      position += passed;
      pending = pending.subarray(passed);
      if (position < nextChunk || pending.length < chunkHeaderBytes) return undefined;
      const size = viewOf(pending).getUint32(4, true);
      if (hasText(pending, 0, 'data')) {
        if (format === undefined) {
          throw new AudioFormatError('This wav file has samples before their format.', 'not-recognised');
        }
        const isPlaceholder = size === 0 || (size & placeholderBits) === placeholderBits;
        const declaredDataBytes = isPlaceholder ? largeDataBytes : size;
        const header = { ...format, dataOffset: position + chunkHeaderBytes, declaredDataBytes };
        return { header, samples: pending.subarray(chunkHeaderBytes) };
      }
      const isFormat = hasText(pending, 0, 'fmt ');
      if (isFormat || hasText(pending, 0, 'ds64')) {
        if (pending.length < chunkHeaderBytes + size) return undefined;
        const content = pending.slice(chunkHeaderBytes, chunkHeaderBytes + size);
        if (isFormat) format = readFormat(content);
        // RF64 and BW64 hold the sizes beyond 4 GiB here: of the file, of the samples.
        else if (size >= 16) largeDataBytes = Number(viewOf(content).getBigUint64(8, true)) || undefined;
      }
      // Chunks begin at even positions.
      nextChunk = position + chunkHeaderBytes + size + (size & 1);
    }
  };
}

const encodings: Readonly<Record<number, WavHeader['encoding']>> = {
  1: 'integer',
  3: 'float',
  6: 'a-law',
  7: 'mu-law',
};

function readFormat(format: Uint8Array<ArrayBuffer>): Omit<WavHeader, 'dataOffset' | 'declaredDataBytes'> {
  if (format.length < 16) {
    throw new AudioFormatError('The format of this wav file is too short.', 'not-recognised');
  }
  const view = viewOf(format);
  const writtenTag = view.getUint16(0, true);
  // "Extensible": the real tag is the head of a GUID.
  const isExtensible = writtenTag === extensibleTag && format.length >= 26;
  const formatTag = isExtensible ? view.getUint16(24, true) : writtenTag;
  const channels = view.getUint16(2, true);
  const sampleRate = view.getUint32(4, true);
  const bytesPerFrame = view.getUint16(12, true);
  const bitsPerSample = view.getUint16(14, true);
  const encoding = encodings[formatTag] ?? 'other';
  const isFrame = encoding === 'other' || bytesPerFrame === channels * Math.ceil(bitsPerSample / 8);
  if (!isFrame || channels * sampleRate * bytesPerFrame === 0) {
    throw new AudioFormatError(
      `The format of this wav file says ${bytesPerFrame} bytes for ${channels} samples of ${bitsPerSample} bits at ${sampleRate} Hz.`,
      'not-recognised',
    );
  }
  return { sampleRate, channels, bitsPerSample, encoding, formatTag, bytesPerFrame, format };
}

function expectText(bytes: Uint8Array, position: number, ...texts: readonly string[]): void {
  const available = Math.max(0, Math.min(4, bytes.length - position));
  if (texts.some((text) => hasText(bytes, position, text.slice(0, available)))) return;
  if (available > 0)
    throw new AudioFormatError(`These bytes are not a wav file: "${texts[0]}" is missing.`, 'not-recognised');
}

/**
 * The sizes that a finished file ought to have, where its header says otherwise. Sizes that are true already are left
 * alone, and so is a file beyond the four gigabytes that the fields can hold.
 *
 * @param fileBytes - Length of the whole file.
 */
export function wavSizeFixes(header: WavHeader, fileBytes: number): readonly WavSizeFix[] {
  const dataBytes = fileBytes - header.dataOffset;
  const declared = header.declaredDataBytes;
  if (dataBytes < 0 || (declared !== undefined && declared <= dataBytes)) return [];
  if (fileBytes - 8 > placeholder) return [];
  return [
    { position: riffSizePosition, bytes: littleEndian(fileBytes - 8) },
    { position: header.dataOffset - 4, bytes: littleEndian(dataBytes) },
  ];
}

function littleEndian(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value, true);
  return bytes;
}

/**
 * Writes the true sizes into a whole wav file that was streamed (its header has placeholders). Changes `bytes` itself.
 *
 * @returns `bytes`
 * @throws AudioFormatError when it is not a wav file.
 */
export function finishWav<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const header = readWavHeader(bytes);
  if (header === undefined) throw new AudioFormatError('This wav file ends in its header.', 'not-recognised');
  for (const fix of wavSizeFixes(header, bytes.length)) bytes.set(fix.bytes, fix.position);
  return bytes;
}

/** Separates the samples of a wav file from everything else, whatever pieces it arrives in. */
export interface WavReader {
  /** Known once the head has arrived. */
  readonly header: WavHeader | undefined;
  /**
   * Bytes that have not arrived: of the samples that the head declares, or of the chunk that seems to follow them. 0 where the
   * head has a placeholder.
   */
  readonly missingBytes: number;
  /**
   * The samples in the next bytes, which may be cut anywhere. No more than the format of the file is held back.
   *
   * @throws AudioFormatError when it is not a wav file.
   */
  push(bytes: Uint8Array): Uint8Array;
}

/**
 * Creates a reader of the samples of a wav file. What follows the declared ones is either chunks, which are left out, or more
 * sound that the head does not count, as in the file of a recorder that crashed, or one whose sizes wrapped at 4 GiB.
 *
 * @param fileBytes - Length of the whole file, where it is known: what does not fit into it is no chunk.
 */
export function createWavReader(fileBytes = Number.POSITIVE_INFINITY): WavReader {
  const readHeader = createHeaderReader();
  let header: WavHeader | undefined;
  let remaining = 0;
  let received = 0;
  /** Where the chunk behind the samples ends. */
  let chunkEnd = 0;
  /** Bytes behind the declared samples, until it is decided what they are. */
  let behind: Uint8Array | undefined = new Uint8Array(0);
  return {
    get header() {
      return header;
    },
    get missingBytes() {
      return Number.isFinite(remaining) ? Math.max(remaining, chunkEnd - received) : 0;
    },
    push(bytes) {
      received += bytes.length;
      let samples = bytes;
      if (header === undefined) {
        const start = readHeader(bytes);
        if (start === undefined) return new Uint8Array(0);
        ({ header, samples } = start);
        remaining = header.declaredDataBytes ?? Number.POSITIVE_INFINITY;
      }
      const declared = samples.subarray(0, remaining);
      remaining -= declared.length;
      if (remaining > 0 || behind === undefined) return declared;
      behind = joinBytes([behind, samples.subarray(declared.length)]);
      if (behind.length < chunkHeaderBytes + 1) return declared;
      const more = behind;
      behind = undefined;
      const { dataOffset, declaredDataBytes = 0 } = header;
      for (const padding of [0, declaredDataBytes & 1]) {
        const chunkBytes = chunkBytesOf(more.subarray(padding)) ?? Number.POSITIVE_INFINITY;
        chunkEnd = dataOffset + declaredDataBytes + padding + chunkBytes;
        if (Number.isFinite(chunkEnd) && chunkEnd <= fileBytes) return declared;
      }
      remaining = Number.POSITIVE_INFINITY;
      return joinBytes([declared, more]);
    },
  };
}

/** Length of the chunk that begins here; undefined without a name of four visible characters and a size that it may have. */
function chunkBytesOf(bytes: Uint8Array): number | undefined {
  const isName = bytes.subarray(0, 4).every((byte) => byte >= 0x20 && byte <= 0x7e);
  const size = viewOf(bytes).getUint32(4, true);
  return isName && size <= maximumChunkBytes ? chunkHeaderBytes + size : undefined;
}

/** Reads the sample at a position, from -1 to 1. */
export type SampleReader = (view: DataView, position: number) => number;

const sampleReaders: Readonly<Record<string, SampleReader>> = {
  'integer 8': (view, position) => (view.getUint8(position) - 128) / 128,
  'integer 16': (view, position) => view.getInt16(position, true) / 2 ** 15,
  'integer 24': (view, position) =>
    (view.getUint16(position, true) + view.getInt8(position + 2) * 2 ** 16) / 2 ** 23,
  'integer 32': (view, position) => view.getInt32(position, true) / 2 ** 31,
  'float 32': (view, position) => view.getFloat32(position, true),
  'float 64': (view, position) => view.getFloat64(position, true),
  // ITU-T G.711.
  'a-law 8': (view, position) => fromALaw(view.getUint8(position)) / 2 ** 15,
  'mu-law 8': (view, position) => fromMuLaw(view.getUint8(position)) / 2 ** 15,
};

/** The function that reads one sample of one channel; undefined for compressed samples, and for widths that no writer uses. */
export function sampleReaderOf({ encoding, bytesPerFrame, channels }: WavHeader): SampleReader | undefined {
  return sampleReaders[`${encoding} ${(bytesPerFrame / channels) * 8}`];
}

function fromALaw(byte: number): number {
  const bits = byte ^ 0x55;
  const segment = (bits >> 4) & 7;
  const step = ((bits & 15) << 4) + (segment === 0 ? 8 : 0x108);
  const size = segment > 1 ? step << (segment - 1) : step;
  return bits & 0x80 ? size : -size;
}

function fromMuLaw(byte: number): number {
  const bits = ~byte & 0xff;
  const size = ((((bits & 15) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return bits & 0x80 ? -size : size;
}

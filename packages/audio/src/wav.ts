import { hasText, joinBytes, viewOf } from './bytes.ts';
import { AudioFormatError } from './errors.ts';

/** Options of {@link writeWavHeader}. */
export interface WavHeaderOptions {
  /** Hz. */
  readonly sampleRate: number;
  /** @defaultValue 1 */
  readonly channels?: number;
  /** @defaultValue 16 */
  readonly bitsPerSample?: number;
  /** Bytes of samples that follow. Left out while streaming: both sizes are then written as 0xFFFFFFFF. */
  readonly dataBytes?: number;
}

/** What the head of a wav file says. */
export interface WavHeader {
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** Encoding of the samples. Everything but `integer` and `float` is compressed. */
  readonly encoding: 'integer' | 'float' | 'other';
  /** Bytes of one sample of all channels. */
  readonly bytesPerFrame: number;
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

const HEADER_BYTES = 44;
const RIFF_SIZE_POSITION = 4;
const PLACEHOLDER = 0xffff_ffff;
// Streaming writers put the largest size of 31 or 32 bits, or a little less: SoX puts 0x7FFFF000.
const PLACEHOLDER_BITS = 0x7fff_0000;
// Lists and pictures may come before the samples, up to a limit.
const MAXIMUM_HEADER_BYTES = 1024 * 1024;

/** The 44 bytes before the samples of a wav file. */
export function writeWavHeader(options: WavHeaderOptions): Uint8Array<ArrayBuffer> {
  const { sampleRate, channels = 1, bitsPerSample = 16, dataBytes } = options;
  const bytesPerFrame = (channels * bitsPerSample) / 8;
  const header = new Uint8Array(HEADER_BYTES);
  const view = viewOf(header);
  writeText(header, 0, 'RIFF');
  view.setUint32(RIFF_SIZE_POSITION, sizeField(dataBytes, HEADER_BYTES - 8), true);
  writeText(header, 8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * bytesPerFrame, true);
  view.setUint16(32, bytesPerFrame, true);
  view.setUint16(34, bitsPerSample, true);
  writeText(header, 36, 'data');
  view.setUint32(40, sizeField(dataBytes, 0), true);
  return header;
}

/**
 * Reads the head of a wav file.
 *
 * @param bytes - The file from its first byte; the samples need not be there.
 * @returns undefined while bytes are missing
 * @throws AudioFormatError when it is not a wav file, or the samples do not begin within the first mebibyte.
 */
export function readWavHeader(bytes: Uint8Array): WavHeader | undefined {
  const view = viewOf(bytes);
  expectText(bytes, 0, 'RIFF');
  expectText(bytes, 8, 'WAVE');
  let position = 12;
  let format: ReturnType<typeof readFormat> | undefined;
  for (;;) {
    if (position > MAXIMUM_HEADER_BYTES) {
      throw new AudioFormatError(
        'The samples of this wav file do not begin in its first mebibyte.',
        'unsupported',
      );
    }
    if (position + 8 > bytes.length) return undefined;
    const size = view.getUint32(position + 4, true);
    if (hasText(bytes, position, 'data')) {
      if (format === undefined) {
        throw new AudioFormatError('This wav file has samples before their format.', 'not-recognised');
      }
      const isPlaceholder = size === 0 || (size & PLACEHOLDER_BITS) === PLACEHOLDER_BITS;
      const declaredDataBytes = isPlaceholder ? undefined : size;
      return { ...format, dataOffset: position + 8, declaredDataBytes };
    }
    if (hasText(bytes, position, 'fmt ')) {
      if (position + 8 + Math.min(size, 40) > bytes.length) return undefined;
      format = readFormat(view, position + 8, size);
    }
    // Chunks begin at even positions.
    position += 8 + size + (size & 1);
  }
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
  if (fileBytes - 8 > PLACEHOLDER) return [];
  return [
    { position: RIFF_SIZE_POSITION, bytes: littleEndian(fileBytes - 8) },
    { position: header.dataOffset - 4, bytes: littleEndian(dataBytes) },
  ];
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

function readFormat(
  view: DataView,
  position: number,
  size: number,
): Pick<WavHeader, 'sampleRate' | 'channels' | 'bitsPerSample' | 'bytesPerFrame' | 'encoding'> {
  if (size < 16) throw new AudioFormatError('The format of this wav file is too short.', 'not-recognised');
  let tag = view.getUint16(position, true);
  // "Extensible": the real tag is the head of a GUID.
  if (tag === 0xfffe && size >= 26) tag = view.getUint16(position + 24, true);
  const channels = view.getUint16(position + 2, true);
  const sampleRate = view.getUint32(position + 4, true);
  const bytesPerFrame = view.getUint16(position + 12, true);
  const bitsPerSample = view.getUint16(position + 14, true);
  if (channels === 0 || sampleRate === 0 || bytesPerFrame === 0) {
    throw new AudioFormatError(
      'The format of this wav file has a 0 in a field that must be larger.',
      'not-recognised',
    );
  }
  const encoding: WavHeader['encoding'] = tag === 1 ? 'integer' : tag === 3 ? 'float' : 'other';
  return { sampleRate, channels, bitsPerSample, bytesPerFrame, encoding };
}

function expectText(bytes: Uint8Array, position: number, text: string): void {
  const available = Math.max(0, Math.min(text.length, bytes.length - position));
  if (available > 0 && !hasText(bytes, position, text.slice(0, available))) {
    throw new AudioFormatError(`These bytes are not a wav file: "${text}" is missing.`, 'not-recognised');
  }
}

function sizeField(dataBytes: number | undefined, added: number): number {
  if (dataBytes === undefined || dataBytes + added > PLACEHOLDER) return PLACEHOLDER;
  return dataBytes + added;
}

function littleEndian(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value, true);
  return bytes;
}

function writeText(bytes: Uint8Array, position: number, text: string): void {
  for (let index = 0; index < text.length; index++) bytes[position + index] = text.charCodeAt(index);
}

/** Separates the samples of a wav file from everything else, whatever pieces it arrives in. */
export interface WavReader {
  /** Known once the head has arrived. */
  readonly header: WavHeader | undefined;
  /**
   * The samples in the next bytes, which may be cut anywhere. At most the head of the file is held back.
   *
   * @throws AudioFormatError when it is not a wav file.
   */
  push(bytes: Uint8Array): Uint8Array;
}

/** The declared size is used only if it is smaller than what arrives: chunks may follow the samples. */
export function createWavReader(): WavReader {
  let head: Uint8Array = new Uint8Array(0);
  let header: WavHeader | undefined;
  let remaining = Number.POSITIVE_INFINITY;
  return {
    get header() {
      return header;
    },
    push(bytes) {
      let samples = bytes;
      if (header === undefined) {
        head = joinBytes(head, bytes);
        header = readWavHeader(head);
        if (header === undefined) return new Uint8Array(0);
        samples = head.subarray(header.dataOffset);
        head = new Uint8Array(0);
        remaining = header.declaredDataBytes ?? remaining;
      }
      samples = samples.subarray(0, remaining);
      remaining -= samples.length;
      return samples;
    },
  };
}

import { ascii, createChecksum, joinBytes, viewOf } from '../bytes.ts';
import { AudioFormatError } from '../errors.ts';

const checksum8 = createChecksum(8, 0x07);
const checksum16 = createChecksum(16, 0x8005);
const streamInformationBytes = 34;
/** Sizes by their code; codes 6 and 7 store the size after the number. */
const frameSizes = [0, 192, 576, 1152, 2304, 4608, 0, 0, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];

interface FrameHeader {
  /** Frames or samples before this one. */
  readonly number: number;
  readonly samples: number;
  /** Bytes of the header with its checksum. */
  readonly bytes: number;
  /** Bytes of the encoded number. */
  readonly numberBytes: number;
}

/**
 * Checks the frames of a file in order. A tag may follow the last frame: a frame ends where its checksum fits.
 *
 * @returns a function that gives the frame, or undefined where the file breaks off
 */
export function createFlacFrames(): (packet: Uint8Array) => Uint8Array | undefined {
  let isLast = false;
  return (packet) => {
    const header = readFrameHeader(packet);
    if (header === undefined || isLast) return undefined;
    if (checksum16(packet) === 0) return packet;
    isLast = true;
    let end: number | undefined;
    // The checksum over a frame and its own checksum is 0.
    for (let position = header.bytes, value = checksum16(packet, 0, position); position < packet.length; ) {
      value = checksum16(packet, position, position + 1, value);
      position += 1;
      if (value === 0) end = position;
    }
    return end === undefined ? undefined : packet.subarray(0, end);
  };
}

/** What the stream information at the start of FLAC says. */
export interface FlacInformation {
  /** Its 34 bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sampleRate: number;
  /** Samples of the whole file; 0 if they are not known. */
  readonly samples: number;
}

/** @param description - the head of a FLAC file, as other containers have it too */
export function readFlacInformation(description: Uint8Array): FlacInformation {
  const bytes = new Uint8Array(description.subarray(8, 8 + streamInformationBytes));
  if (bytes.length < streamInformationBytes)
    throw new AudioFormatError('This flac file has no stream information.', 'not-recognised');
  const view = viewOf(bytes);
  const sampleRate = view.getUint32(10) >>> 12;
  const samples = (view.getUint8(13) & 15) * 2 ** 32 + view.getUint32(14);
  if (sampleRate === 0)
    throw new AudioFormatError('This flac file has a sample rate of 0.', 'not-recognised');
  return { bytes, sampleRate, samples };
}

/** Samples of each channel in a frame; undefined if it is none. */
export function flacFrameSamples(frame: Uint8Array): number | undefined {
  return readFrameHeader(frame)?.samples;
}

/** @returns undefined if no frame begins here; the header has its own checksum */
function readFrameHeader(bytes: Uint8Array): FrameHeader | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0, lead = 0] = bytes;
  if (first !== 0xff || (second & 0xfe) !== 0xf8) return undefined;
  const sizeCode = third >> 4;
  const rateCode = third & 15;
  if (sizeCode === 0 || rateCode === 15 || fourth >> 4 > 10 || (fourth & 1) !== 0) return undefined;
  // The number is encoded like a UTF-8 character of up to seven bytes.
  const ones = Math.clz32(~(lead << 24));
  if (ones === 1 || ones > 7) return undefined;
  const numberBytes = Math.max(1, ones);
  let number = ones === 0 ? lead : lead & (0x7f >> ones);
  for (let index = 1; index < numberBytes; index++) {
    const byte = bytes[4 + index] ?? 0;
    if (byte >> 6 !== 2) return undefined;
    number = number * 64 + (byte & 63);
  }
  let position = 4 + numberBytes;
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const [high = 0, low = 0] = bytes.subarray(position, position + 2);
  const written = sizeBytes === 1 ? high : high * 256 + low;
  const samples = sizeBytes === 0 ? (frameSizes[sizeCode] ?? 0) : written + 1;
  position += sizeBytes + (rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0);
  if (position >= bytes.length || checksum8(bytes, 0, position) !== bytes[position]) return undefined;
  return { number, samples, bytes: position + 1, numberBytes };
}

/** Bytes of a file before its frames, and bytes by which `writeFlac` may lengthen a frame. */
export const flacHeaderBytes = 4 + 4 + streamInformationBytes;
export const flacFrameGrowth = 6;

/** The pieces of a file of these frames, which starts at 0. @param samples - of all frames together */
export function writeFlac(
  information: FlacInformation,
  frames: readonly Uint8Array[],
  samples: number,
): Uint8Array[] {
  const changed = information.bytes.slice();
  // Frame sizes are unknown, and so is the checksum of the sound.
  changed.fill(0, 4, 10);
  changed.fill(0, 18);
  const view = viewOf(changed);
  view.setUint8(13, (view.getUint8(13) & 0xf0) | Math.floor(samples / 2 ** 32));
  view.setUint32(14, samples >>> 0);
  const head = [ascii('fLaC'), Uint8Array.of(0x80, 0, 0, streamInformationBytes), changed];
  const first = readFrameHeader(frames[0] ?? new Uint8Array(0))?.number ?? 0;
  return [...head, ...frames.map((frame) => renumbered(frame, first))];
}

/** Decoders take a frame's position from its number, so the first one of a part must be 0. */
function renumbered(frame: Uint8Array, first: number): Uint8Array {
  const header = readFrameHeader(frame);
  if (header === undefined) throw new RangeError('A frame that was read has a header.');
  const number = writeNumber(header.number - first);
  const after = frame.subarray(4 + header.numberBytes, header.bytes - 1);
  const head = joinBytes([frame.subarray(0, 4), number, after]);
  const whole = joinBytes([head, Uint8Array.of(checksum8(head)), frame.subarray(header.bytes)]);
  viewOf(whole).setUint16(whole.length - 2, checksum16(whole, 0, whole.length - 2));
  return whole;
}

function writeNumber(number: number): Uint8Array {
  if (number < 0x80) return Uint8Array.of(number);
  const bytes: number[] = [];
  let rest = number;
  // The first byte holds 6 bits, and one less for each byte that follows.
  while (rest >= 2 ** (6 - bytes.length)) {
    bytes.unshift(0x80 | (rest % 64));
    rest = Math.floor(rest / 64);
  }
  return Uint8Array.of(((0xff << (7 - bytes.length)) & 0xff) | rest, ...bytes);
}

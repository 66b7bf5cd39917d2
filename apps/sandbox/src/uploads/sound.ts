/** The file is not audio, is damaged, or makes its decoder hang. The message says which. */
export class UnreadableAudioError extends Error {
  override readonly name = 'UnreadableAudioError';
}

/** A stretch of decoded sound. */
export interface SoundBlock {
  /** All channels mixed into one, -1 to 1. */
  readonly samples: Float32Array;
  /** Hz. */
  readonly sampleRate: number;
  /** Channels of the file. */
  readonly channels: number;
}

/** Kinds of files that are read, told by their first bytes: names and media types of uploads are often wrong. */
export type Container = 'wav' | 'flac' | 'ogg' | 'webm' | 'mp4' | 'adts' | 'mp3';

/** Returns `undefined` for any other file. */
export function sniffContainer(bytes: Uint8Array): Container | undefined {
  const start = afterTags(bytes);
  const has = (text: string, offset = 0): boolean =>
    [...text].every((character, index) => bytes[start + offset + index] === character.charCodeAt(0));
  if ((has('RIFF') || has('RF64')) && has('WAVE', 8)) return 'wav';
  if (has('fLaC')) return 'flac';
  if (has('OggS')) return 'ogg';
  if (has('\x1a\x45\xdf\xa3')) return 'webm';
  if (has('ftyp', 4)) return 'mp4';
  if (bytes[start] === 0xff && ((bytes[start + 1] ?? 0) & 0xf6) === 0xf0) return 'adts';
  return findMp3Frames(bytes, start) === undefined ? undefined : 'mp3';
}

/** Position after the tags that some writers put before the sound. */
export function afterTags(bytes: Uint8Array): number {
  let position = 0;
  while (bytes[position] === 0x49 && bytes[position + 1] === 0x44 && bytes[position + 2] === 0x33) {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(position + 6, position + 10);
    position += 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127);
  }
  return position;
}

const bitratesOfVersion1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesOfVersion2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const mp3SampleRates = [44100, 48000, 32000];

/** Length of the frame of MPEG layer III that begins at a position; `undefined` where none does. */
function mp3FrameBytes(bytes: Uint8Array, position: number): number | undefined {
  const [first = 0, second = 0, third = 0] = bytes.subarray(position, position + 3);
  const version = (second >> 3) & 3;
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || version === 1) return undefined;
  const bitrate = (version === 3 ? bitratesOfVersion1 : bitratesOfVersion2)[third >> 4];
  const sampleRate = (mp3SampleRates[(third >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  if (!bitrate || sampleRate === 0) return undefined;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * bitrate) / sampleRate) + ((third >> 1) & 1);
}

/** Bytes that may be before the first frame: a piece cut out of a stream begins in the middle of one. */
const patience = 65_536;
/** Two bytes that look like the start of a frame are in any file; frames that follow each other are not. */
const framesInARun = 3;

/** Start of the first run of consecutive frames of an mp3 file; `undefined` if there is none. */
export function findMp3Frames(bytes: Uint8Array, from = afterTags(bytes)): number | undefined {
  const end = Math.min(bytes.length, from + patience);
  for (let position = from; position < end; position += 1) {
    if (bytes[position] === 0xff && isRun(bytes, position)) return position;
  }
  return undefined;
}

/** A file that ends with the second frame also has a run. All frames of a run have one version and rate. */
function isRun(bytes: Uint8Array, start: number): boolean {
  let position = start;
  for (let count = 0; count < framesInARun; count += 1) {
    if (count > 1 && position === bytes.length) return true;
    const length = mp3FrameBytes(bytes, position);
    const isLike =
      bytes[position + 1] === bytes[start + 1] &&
      ((bytes[position + 2] ?? 0) & 0x0c) === ((bytes[start + 2] ?? 0) & 0x0c);
    if (length === undefined || !isLike) return false;
    position += length;
  }
  return true;
}

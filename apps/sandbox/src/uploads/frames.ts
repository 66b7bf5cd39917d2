/** Length of the frame that begins at a position; `undefined` where none does. */
export type FrameBytes = (bytes: Uint8Array, position: number) => number | undefined;

const bitratesOfVersion1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesOfVersion2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const mp3SampleRates = [44100, 48000, 32000];

/** A frame of MPEG layer III. */
export const mp3FrameBytes: FrameBytes = (bytes, position) => {
  const [first = 0, second = 0, third = 0] = bytes.subarray(position, position + 3);
  const version = (second >> 3) & 3;
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || version === 1) return undefined;
  const bitrate = (version === 3 ? bitratesOfVersion1 : bitratesOfVersion2)[third >> 4];
  const sampleRate = (mp3SampleRates[(third >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  if (!bitrate || sampleRate === 0) return undefined;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * bitrate) / sampleRate) + ((third >> 1) & 1);
};

export const adtsSampleRates = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];
export const adtsHeaderBytes = 7;

/** A frame of AAC with the header that it has outside of other containers. */
export const adtsFrameBytes: FrameBytes = (bytes, position) => {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = bytes.subarray(
    position,
    position + 6,
  );
  if (first !== 0xff || (second & 0xf6) !== 0xf0) return undefined;
  const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  return adtsSampleRates[(third >> 2) & 15] === undefined || length <= adtsHeaderBytes ? undefined : length;
};

/** Bytes that may be before the first frame. */
const patience = 65_536;
/** Two bytes that look like the start of a frame are in any file; frames that follow each other are not. */
const framesInARun = 3;

/** Start of the first run of consecutive frames; `undefined` if there is none. */
export function findFrames(bytes: Uint8Array, from: number, frameBytes: FrameBytes): number | undefined {
  const end = Math.min(bytes.length, from + patience);
  for (let position = from; position < end; position += 1) {
    if (bytes[position] === 0xff && isRun(bytes, position, frameBytes)) return position;
  }
  return undefined;
}

/** A file that ends with the second frame has a run, too. All frames of a run are of one version and rate. */
function isRun(bytes: Uint8Array, start: number, frameBytes: FrameBytes): boolean {
  let position = start;
  for (let count = 0; count < framesInARun; count += 1) {
    if (count > 1 && position === bytes.length) return true;
    const length = frameBytes(bytes, position);
    const isLike =
      bytes[position + 1] === bytes[start + 1] &&
      ((bytes[position + 2] ?? 0) & 0x0c) === ((bytes[start + 2] ?? 0) & 0x0c);
    if (length === undefined || !isLike) return false;
    position += length;
  }
  return true;
}

/** The frames of an AAC file outside of any container. */
export interface AdtsFile {
  readonly frames: readonly Uint8Array[];
  readonly seconds: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Share of the bytes that belong to no frame. */
  readonly lost: number;
}

/** Walks from frame to frame; where one is damaged, the next ones are found. `undefined` where there is none. */
export function readAdts(bytes: Uint8Array, from: number): AdtsFile | undefined {
  const first = findFrames(bytes, from, adtsFrameBytes);
  if (first === undefined) return undefined;
  const frames: Uint8Array[] = [];
  let samples = 0;
  let kept = 0;
  for (let position: number | undefined = first; position !== undefined && position < bytes.length; ) {
    const length = adtsFrameBytes(bytes, position);
    const follows: number | undefined = length === undefined ? undefined : position + length;
    const isWhole =
      follows !== undefined &&
      (follows === bytes.length || adtsFrameBytes(bytes, follows) !== undefined || frames.length === 0);
    if (isWhole) {
      const frame = bytes.subarray(position, follows);
      frames.push(frame);
      samples += 1024 * (((frame[6] ?? 0) & 3) + 1);
      kept += frame.length;
      position = follows;
    } else {
      position = findFrames(bytes, position + 1, adtsFrameBytes);
    }
  }
  const sampleRate = adtsSampleRates[((bytes[first + 2] ?? 0) >> 2) & 15] ?? 0;
  const channels = (((bytes[first + 2] ?? 0) & 1) << 2) | ((bytes[first + 3] ?? 0) >> 6);
  const lost = 1 - kept / (bytes.length - first);
  return { frames, seconds: samples / sampleRate, sampleRate, channels: Math.max(1, channels), lost };
}

const pageHeaderBytes = 27;
const firstPage = 2;

/**
 * The files that were joined to one Ogg file (RFC 3533 calls it chaining), each of whole pages: one that was cut at the
 * end of the file is left out, and so is what is between two pages.
 */
export function oggLinks(bytes: Uint8Array): Uint8Array[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const links: Uint8Array[][] = [];
  let isHead = false;
  for (let start = buffer.indexOf('OggS'); start >= 0; ) {
    const table = bytes.subarray(start + pageHeaderBytes, start + pageHeaderBytes + (bytes[start + 26] ?? 0));
    const end = start + pageHeaderBytes + table.reduce((sum, length) => sum + length, table.length);
    if (end > bytes.length) break;
    const begins = ((bytes[start + 5] ?? 0) & firstPage) !== 0;
    if (links.length === 0 || (begins && !isHead)) links.push([]);
    isHead = begins;
    links.at(-1)?.push(bytes.subarray(start, end));
    start = buffer.indexOf('OggS', end);
  }
  return links.map((pages) => Buffer.concat(pages));
}

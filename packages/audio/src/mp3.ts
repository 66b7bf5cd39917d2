import { copyBytes, createChecksum, hasText, joinBytes, viewOf } from './bytes.ts';

/** Contents of the four-byte header of an MPEG layer III frame. */
export interface Mp3FrameHeader {
  /** MPEG version: 1, 2 or 2.5. */
  readonly version: 1 | 2 | 2.5;
  /** Hz. */
  readonly sampleRate: number;
  /** kbps. */
  readonly bitrate: number;
  readonly channels: 1 | 2;
  /** Samples of each channel: 1152, or 576 for versions 2 and 2.5. */
  readonly samples: number;
  /** Bytes of the whole frame. */
  readonly frameBytes: number;
}

/** What an information frame says: samples that the encoder put before and after the audio, and the size of the file. */
export interface Mp3Information {
  readonly delaySamples: number;
  readonly paddingSamples: number;
  /** Frames after this one, and bytes with this one, if the frame names both. */
  readonly extent?: { readonly frames: number; readonly bytes: number };
}

const mp3HeaderBytes = 4;

const bitratesOfVersion1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesOfVersion2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRatesOfVersion1 = [44100, 48000, 32000];

/** @returns undefined where no layer III frame begins; frames of free bitrate count as none */
export function readMp3FrameHeader(bytes: Uint8Array, position: number): Mp3FrameHeader | undefined {
  if (position + mp3HeaderBytes > bytes.length) return undefined;
  // No view: a file has half a million frames.
  const second = bytes[position + 1] ?? 0;
  const third = bytes[position + 2] ?? 0;
  const fourth = bytes[position + 3] ?? 0;
  const isLayerThree = bytes[position] === 0xff && (second & 0xe6) === 0xe2;
  const versionBits = (second >> 3) & 3;
  const rate = sampleRatesOfVersion1[(third >> 2) & 3];
  const isVersion1 = versionBits === 3;
  const bitrate = (isVersion1 ? bitratesOfVersion1 : bitratesOfVersion2)[third >> 4];
  const emphasisIsReserved = (fourth & 3) === 2;
  if (!isLayerThree || versionBits === 1 || rate === undefined || !bitrate || emphasisIsReserved)
    return undefined;
  const version = isVersion1 ? 1 : versionBits === 2 ? 2 : 2.5;
  const sampleRate = rate / (isVersion1 ? 1 : version === 2 ? 2 : 4);
  const samples = isVersion1 ? 1152 : 576;
  const padding = (third >> 1) & 1;
  return {
    version,
    sampleRate,
    bitrate,
    channels: fourth >> 6 === 3 ? 1 : 2,
    samples,
    frameBytes: Math.floor((samples / 8) * ((bitrate * 1000) / sampleRate)) + padding,
  };
}

/** Frames of one stream agree in these; anything else is a chance match in other data. */
function belongTogether(left: Mp3FrameHeader, right: Mp3FrameHeader): boolean {
  return left.version === right.version && left.sampleRate === right.sampleRate;
}

/** Place of the side information in a layer III frame. */
function sideInformationOf(frame: Uint8Array) {
  const isVersion1 = ((frame[1] ?? 0) & 0x18) === 0x18;
  const hasChecksum = ((frame[1] ?? 0) & 1) === 0;
  const isMono = (frame[3] ?? 0) >> 6 === 3;
  const start = mp3HeaderBytes + (hasChecksum ? 2 : 0);
  const size = isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  return { start, end: start + size, isVersion1, hasChecksum };
}

/** @returns what a Xing, Info or VBRI frame says; undefined for a frame of audio */
export function readMp3Information(frame: Uint8Array): Mp3Information | undefined {
  const without = { delaySamples: 0, paddingSamples: 0 };
  if (hasText(frame, mp3HeaderBytes + 32, 'VBRI')) return without;
  const tag = sideInformationOf(frame).end;
  if (!hasText(frame, tag, 'Xing') && !hasText(frame, tag, 'Info')) return undefined;
  const view = viewOf(frame);
  if (tag + 16 > frame.length) return without;
  const flags = view.getUint32(tag + 4);
  const extent = { frames: view.getUint32(tag + 8), bytes: view.getUint32(tag + 12) };
  const size = (flags & 3) === 3 ? { extent } : {};
  // Counts of frames and bytes, the seek table and the quality are each optional.
  const lame =
    tag + 8 + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
  if (lame + 24 > frame.length) return { ...without, ...size };
  const packed = (view.getUint16(lame + 21) << 8) | view.getUint8(lame + 23);
  return { delaySamples: packed >> 12, paddingSamples: packed & 0xfff, ...size };
}

/** The bit reservoir: a frame may hold its data in the frames before it. */
export interface Mp3Reservoir {
  /** Bytes before the end of the frame before at which the data of this frame begins. */
  readonly reachBytes: number;
  /** Bytes of data that the frame itself has room for. */
  readonly roomBytes: number;
}

export function readMp3Reservoir(frame: Uint8Array): Mp3Reservoir {
  const { start, end, isVersion1 } = sideInformationOf(frame);
  const reachBytes = isVersion1 ? viewOf(frame).getUint16(start) >> 7 : (frame[start] ?? 0);
  return { reachBytes, roomBytes: frame.length - end };
}

const frameChecksum = /* @__PURE__ */ createChecksum(16, 0x8005);

/** A frame of silence with the header of this one; its data still serves the frames after it. */
export function silenceMp3Frame(frame: Uint8Array): Uint8Array<ArrayBuffer> {
  const { start, end, hasChecksum } = sideInformationOf(frame);
  const silent = copyBytes(frame);
  silent.fill(0, start, end);
  if (hasChecksum)
    viewOf(silent).setUint16(4, frameChecksum(silent, start, end, frameChecksum(silent, 2, 4, 0xffff)));
  return silent;
}

/** One frame of an mp3 file. */
export interface Mp3Frame extends Mp3FrameHeader {
  /** The frame with its header: a view of memory that it shares with its neighbours and nobody writes to. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Set on a frame that describes the file (Xing, Info, VBRI) and holds no audio. */
  readonly information: Mp3Information | undefined;
}

/** Finds the frames of an mp3 file, whatever pieces it arrives in. Holds back less than two frames. */
export interface Mp3FrameWalker {
  /** The frames that these bytes complete. */
  push(bytes: Uint8Array): Mp3Frame[];
  /** To be called after the last bytes: the last frame, where only a following one could have confirmed it. */
  end(): Mp3Frame[];
  /** Bytes so far that belong to no frame, tags of the file not counted. */
  readonly skippedBytes: number;
  /** After `end`: whether the last frame is incomplete. */
  readonly endsInsideFrame: boolean;
}

const ID3V1_BYTES = 128;
const ID3V2_HEADER_BYTES = 10;
const APE_HEADER_BYTES = 32;

/** Creates a reader of mp3 frames for bytes that arrive in pieces of any size. */
export function createMp3FrameWalker(): Mp3FrameWalker {
  let pending = new Uint8Array(0);
  let tagBytes = 0;
  let skippedBytes = 0;
  let previous: Mp3FrameHeader | undefined;
  let seenFrame = false;
  let endsInsideFrame = false;

  function walk(isEnd: boolean): Mp3Frame[] {
    const frames: Mp3Frame[] = [];
    let position = 0;
    while (position < pending.length) {
      const passed = Math.min(tagBytes, pending.length - position);
      tagBytes -= passed;
      position += passed;
      if (passed > 0) continue;
      const tag = tagAt(pending, position, isEnd);
      if (tag === 'unknown yet') break;
      if (tag > 0) {
        tagBytes = tag;
        continue;
      }
      const header = frameAt(pending, position, previous, isEnd);
      if (header === 'unknown yet') break;
      if (header === undefined) {
        // Right behind a frame another one begins, and the file ends before it does.
        if (isEnd && previous !== undefined)
          endsInsideFrame = isFrameHead(pending.subarray(position), previous);
        // Only the first wrong byte ends the trust in what follows.
        previous = undefined;
        skippedBytes += 1;
        position += 1;
        continue;
      }
      const bytes = pending.subarray(position, position + header.frameBytes);
      const information = seenFrame ? undefined : readMp3Information(bytes);
      frames.push({ ...header, bytes, information });
      previous = header;
      seenFrame = true;
      position += header.frameBytes;
    }
    pending = pending.subarray(position);
    if (isEnd) {
      skippedBytes += pending.length;
      pending = new Uint8Array(0);
    }
    return frames;
  }

  return {
    push(bytes) {
      // Of its own, so that the frames may stay views while the caller uses its memory again.
      pending = joinBytes([pending, bytes]);
      return walk(false);
    },
    end: () => walk(true),
    get skippedBytes() {
      return skippedBytes;
    },
    get endsInsideFrame() {
      return endsInsideFrame;
    },
  };
}

/** True if these are the first bytes of a frame that continues the previous one. */
function isFrameHead(bytes: Uint8Array, previous: Mp3FrameHeader): boolean {
  const header = bytes.length < mp3HeaderBytes ? undefined : readMp3FrameHeader(bytes, 0);
  return header !== undefined && header.frameBytes > bytes.length && belongTogether(previous, header);
}

function frameAt(
  bytes: Uint8Array,
  position: number,
  previous: Mp3FrameHeader | undefined,
  isEnd: boolean,
): Mp3FrameHeader | 'unknown yet' | undefined {
  if (position + mp3HeaderBytes > bytes.length) return isEnd ? undefined : 'unknown yet';
  const header = readMp3FrameHeader(bytes, position);
  if (header === undefined) return undefined;
  if (previous !== undefined && !belongTogether(previous, header)) return undefined;
  const next = position + header.frameBytes;
  if (next > bytes.length) return isEnd ? undefined : 'unknown yet';
  // After a frame the next one is believed at once. In the open, twelve bits match by chance, so two in a row must.
  if (previous !== undefined || (isEnd && next === bytes.length)) return header;
  const tag = tagAt(bytes, next, isEnd);
  if (tag === 'unknown yet' || (next + mp3HeaderBytes > bytes.length && !isEnd)) return 'unknown yet';
  if (tag > 0) return header;
  const following = readMp3FrameHeader(bytes, next);
  return following !== undefined && belongTogether(header, following) ? header : undefined;
}

/** @returns the bytes of the tag that begins here, 0 where none does */
function tagAt(bytes: Uint8Array, position: number, isEnd: boolean): number | 'unknown yet' {
  if (hasText(bytes, position, 'TAG')) return ID3V1_BYTES;
  const available = bytes.length - position;
  for (const [name, headerBytes] of [
    ['ID3', ID3V2_HEADER_BYTES],
    ['APETAGEX', APE_HEADER_BYTES],
  ] as const) {
    if (!hasText(bytes, position, name.slice(0, Math.max(1, available)))) continue;
    if (available < headerBytes) return isEnd ? 0 : 'unknown yet';
    return name === 'ID3' ? id3Bytes(bytes.subarray(position)) : apeBytes(bytes, position);
  }
  return !isEnd && available < 3 && hasText(bytes, position, 'TAG'.slice(0, available)) ? 'unknown yet' : 0;
}

/** Bytes of the ID3 tag at the start, which may be before any container; 0 if there is none. */
export function id3Bytes(bytes: Uint8Array): number {
  if (!hasText(bytes, 0, 'ID3')) return 0;
  const [flags = 0, ...digits] = bytes.subarray(5, ID3V2_HEADER_BYTES);
  // Seven bits per byte; if the eighth bit is set, this is not a tag.
  if (digits.some((digit) => digit > 0x7f)) return 0;
  const footer = (flags & 0x10) === 0 ? 0 : ID3V2_HEADER_BYTES;
  return ID3V2_HEADER_BYTES + digits.reduce((size, digit) => size * 128 + digit, 0) + footer;
}

function apeBytes(bytes: Uint8Array, position: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + position, APE_HEADER_BYTES);
  const size = view.getUint32(12, true);
  const isHeader = (view.getUint32(20, true) & 0x2000_0000) !== 0;
  // The size counts the items and the footer; a footer met on its own is the end of a tag that had no header.
  return isHeader ? APE_HEADER_BYTES + size : APE_HEADER_BYTES;
}

import { copyBytes, hasText, joinBytes } from './bytes.ts';
import {
  belongTogether,
  type Mp3FrameHeader,
  type Mp3Information,
  mp3HeaderBytes,
  readMp3FrameHeader,
  readMp3Information,
} from './mp3-frame-header.ts';

/** One frame of an mp3 file. */
export interface Mp3Frame extends Mp3FrameHeader {
  /** The frame with its header; memory of its own. */
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
}

const ID3V1_BYTES = 128;
const ID3V2_HEADER_BYTES = 10;
const APE_HEADER_BYTES = 32;

export function createMp3FrameWalker(): Mp3FrameWalker {
  let pending: Uint8Array = new Uint8Array(0);
  let tagBytes = 0;
  let skippedBytes = 0;
  let previous: Mp3FrameHeader | undefined;
  let seenFrame = false;

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
      const found = frameAt(pending, position, previous, isEnd);
      if (found === 'unknown yet') break;
      if (found === undefined) {
        // Only the first wrong byte ends the trust in what follows.
        previous = undefined;
        skippedBytes += 1;
        position += 1;
        continue;
      }
      const bytes = copyBytes(pending, position, position + found.frameBytes);
      const information = seenFrame ? undefined : readMp3Information(bytes, found);
      frames.push({ ...found, bytes, information });
      previous = found;
      seenFrame = true;
      position += found.frameBytes;
    }
    pending = copyBytes(pending, position);
    if (isEnd) {
      skippedBytes += pending.length;
      pending = new Uint8Array(0);
    }
    return frames;
  }

  return {
    push(bytes) {
      pending = joinBytes(pending, bytes);
      return walk(false);
    },
    end: () => walk(true),
    get skippedBytes() {
      return skippedBytes;
    },
  };
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
    return name === 'ID3' ? id3Bytes(bytes, position) : apeBytes(bytes, position);
  }
  return !isEnd && available < 3 && hasText(bytes, position, 'TAG'.slice(0, available)) ? 'unknown yet' : 0;
}

function id3Bytes(bytes: Uint8Array, position: number): number {
  const [flags = 0, a = 0, b = 0, c = 0, d = 0] = bytes.subarray(position + 5, position + ID3V2_HEADER_BYTES);
  // Seven bits a byte; a set eighth bit means that this is no tag.
  if ((a | b | c | d) > 0x7f) return 0;
  const footer = (flags & 0x10) === 0 ? 0 : ID3V2_HEADER_BYTES;
  return ID3V2_HEADER_BYTES + ((a << 21) | (b << 14) | (c << 7) | d) + footer;
}

function apeBytes(bytes: Uint8Array, position: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + position, APE_HEADER_BYTES);
  const size = view.getUint32(12, true);
  const isHeader = (view.getUint32(20, true) & 0x2000_0000) !== 0;
  // The size counts the items and the footer; a footer met on its own is the end of a tag that had no header.
  return isHeader ? APE_HEADER_BYTES + size : APE_HEADER_BYTES;
}

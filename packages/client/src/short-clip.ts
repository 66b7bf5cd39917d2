import { readMp3FrameHeader, readMp3Information, readOggPageHead, readWavHeader } from '@speech-api/audio';
import type { AudioFormat } from '@speech-api/types';

/** The fault of audio of `length` bytes that begins with `head`, which is all of a short clip. */
export function faultOf(
  head: Uint8Array,
  format: AudioFormat,
  length: number,
  needsSound: boolean,
): string | undefined {
  let hasSound = length > 0;
  if (format === 'wav') {
    const { dataOffset = length, declaredDataBytes = 0 } = wavHeaderOf(head) ?? {};
    const end = dataOffset + declaredDataBytes;
    if (end > length) return `ends after ${length} of ${end} bytes`;
    hasSound = dataOffset < length;
  }
  if (format === 'mp3') hasSound = countMp3Frames(head) >= minimumMp3Frames;
  if (format === 'opus') hasSound = hasOggAudio(head);
  return needsSound && !hasSound ? `holds no sound (${length} bytes)` : undefined;
}

/** @returns undefined for what is no wav file, too */
function wavHeaderOf(head: Uint8Array) {
  try {
    return readWavHeader(head);
  } catch {
    return undefined;
  }
}

/** An encoder flushes a frame or two even when it was given nothing. */
const minimumMp3Frames = 3;

function countMp3Frames(head: Uint8Array): number {
  let frames = 0;
  for (let position = 0; position < head.length; ) {
    const frame = readMp3FrameHeader(head, position);
    if (frame && !readMp3Information(head.subarray(position))) frames += 1;
    position += frame?.frameBytes ?? 1;
  }
  return frames;
}

/** Pages of headers are at position 0, and the page that ends an empty stream holds nothing. */
function hasOggAudio(head: Uint8Array): boolean {
  let page = readOggPageHead(head, 0);
  for (let position = 0; page !== undefined; page = readOggPageHead(head, position)) {
    if (page.packetBytes > 0 && page.granulePosition) return true;
    position += page.pageBytes;
  }
  return false;
}

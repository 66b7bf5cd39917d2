import type { AudioFormat } from '@speech-api/types';

/** Writers that stream leave the largest size that they know, of 31 or of 32 bits, or a little less. */
const smallestPlaceholder = 0x7fff_0000;

/** The fault of audio of `length` bytes that begins with `head`, which is all of a short clip. */
export function faultOf(
  head: ArrayBuffer,
  format: AudioFormat,
  length: number,
  needsSound: boolean,
): string | undefined {
  const view = new DataView(head);
  const end = format === 'wav' ? endOfSamples(view) : 0;
  if (end > length) return `ends after ${length} of ${end} bytes`;
  let hasSound = format === 'wav' ? end > 0 : length > 0;
  if (format === 'opus') hasSound = hasOggAudio(view);
  if (format === 'mp3') hasSound = hasMp3Frames(view);
  return needsSound && !hasSound ? `holds no sound (${length} bytes)` : undefined;
}

/** Where the samples of a wav end by its header, or begin if it has a placeholder; 0 where there are none. */
function endOfSamples(view: DataView): number {
  for (let chunk = 12; chunk + 8 < view.byteLength; ) {
    const size = view.getUint32(chunk + 4, true);
    if (view.getUint32(chunk) === 0x64617461) return chunk + 8 + (size < smallestPlaceholder ? size : 0);
    chunk += 8 + size + (size % 2);
  }
  return 0;
}

/** Pages of headers are at position 0, and the page that ends an empty stream holds nothing. */
function hasOggAudio(view: DataView<ArrayBuffer>): boolean {
  for (let page = 0; page + 27 <= view.byteLength && view.getUint32(page) === 0x4f676753; ) {
    const begin = page + 27;
    const segments = new Uint8Array(view.buffer.slice(begin, begin + view.getUint8(page + 26)));
    const bytes = segments.reduce((sum, segment) => sum + segment, 0);
    if (bytes > 0 && view.getBigUint64(page + 6, true) !== 0n) return true;
    page = begin + segments.length + bytes;
  }
  return false;
}

/** An encoder flushes a frame or two even when it was given nothing. */
const minimumMp3Frames = 3;

function hasMp3Frames(view: DataView<ArrayBuffer>): boolean {
  let version: number | undefined;
  let frames = 0;
  for (let index = 0; index + 3 < view.byteLength; index += 1) {
    const sync = view.getUint16(index);
    const third = view.getUint8(index + 2);
    // A sync word of layer III, of the version that the first one has, with a bitrate and a rate that exist.
    if ((sync & 0xffe6) !== 0xffe2 || sync !== (version ?? sync)) continue;
    if (third < 16 || third >= 240 || (third & 12) === 12) continue;
    version = sync;
    frames += 1;
    index += 3;
  }
  // The first frame may hold no sound but a table of the file.
  const text = new TextDecoder().decode(view.buffer.slice(0, 1024));
  return frames >= minimumMp3Frames + Number(/Xing|Info|VBRI/.test(text));
}

import type { AudioFormat } from '@speech-api/types';

/** The fault of audio of `length` bytes that begins with `head`, which is all of a short clip. */
export function faultOf(
  head: Uint8Array<ArrayBuffer>,
  format: AudioFormat,
  length: number,
  needsSound: boolean,
): string | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  let hasSound = length > 0;
  if (format === 'wav') {
    const { begin = length, end = 0 } = samplesOf(view) ?? {};
    if (end > length) return `ends after ${length} of ${end} bytes`;
    hasSound = begin < length;
  }
  if (format === 'mp3') hasSound = hasMp3Frames(view);
  if (format === 'opus') hasSound = hasOggAudio(view);
  return needsSound && !hasSound ? `holds no sound (${length} bytes)` : undefined;
}

/** Writers that stream leave the largest size that they know, of 31 or of 32 bits, or a little less. */
const smallestPlaceholder = 0x7fff_0000;

/**
 * Where the samples of a wav begin, and where its header says that they end; a placeholder says nothing. The chunks alone are
 * read, because the samples are as long whatever their format is.
 */
function samplesOf(view: DataView): { readonly begin: number; readonly end: number } | undefined {
  for (let chunk = 12; chunk + 8 <= view.byteLength; ) {
    const begin = chunk + 8;
    const size = view.getUint32(chunk + 4, true);
    if (view.getUint32(chunk) === 0x64617461) {
      return { begin, end: size < smallestPlaceholder ? begin + size : 0 };
    }
    chunk = begin + size + (size % 2);
  }
  return undefined;
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
  const text = new TextDecoder().decode(
    new Uint8Array(view.buffer, view.byteOffset, Math.min(view.byteLength, 1024)),
  );
  return frames >= minimumMp3Frames + Number(/Xing|Info|VBRI/.test(text));
}

/** Pages of headers are at position 0, and the page that ends an empty stream holds nothing. */
function hasOggAudio(view: DataView): boolean {
  for (let page = 0; page + 27 <= view.byteLength && view.getUint32(page) === 0x4f676753; ) {
    const segments = view.getUint8(page + 26);
    let bytes = 0;
    const end = Math.min(page + 27 + segments, view.byteLength);
    for (let index = page + 27; index < end; index += 1) bytes += view.getUint8(index);
    if (bytes > 0 && view.getBigUint64(page + 6, true) !== 0n) return true;
    page += 27 + segments + bytes;
  }
  return false;
}

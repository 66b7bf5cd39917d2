import type { AudioFormat } from '@speech-api/types';

/** True if a whole short clip holds more than headers. Loaded for clips that are too short to hold a word. */
export function hasSound(clip: Uint8Array<ArrayBuffer>, format: AudioFormat): boolean {
  if (format === 'wav') return hasWavSamples(clip);
  if (format === 'opus') return hasOggAudio(clip);
  return format === 'mp3' ? hasMp3Frames(clip) : clip.length > 0;
}

function hasWavSamples(clip: Uint8Array<ArrayBuffer>): boolean {
  const view = new DataView(clip.buffer);
  for (let chunk = 12; chunk + 8 < clip.length; ) {
    if (view.getUint32(chunk) === 0x64617461) return true;
    const size = view.getUint32(chunk + 4, true);
    chunk += 8 + size + (size % 2);
  }
  return false;
}

/** Pages of headers are at position 0, and the page that ends an empty stream holds nothing. */
function hasOggAudio(clip: Uint8Array<ArrayBuffer>): boolean {
  const view = new DataView(clip.buffer);
  for (let page = 0; page + 27 <= clip.length && view.getUint32(page) === 0x4f676753; ) {
    const segments = clip.subarray(page + 27, page + 27 + (clip[page + 26] ?? 0));
    const bytes = segments.reduce((sum, segment) => sum + segment, 0);
    if (bytes > 0 && view.getBigUint64(page + 6, true) !== 0n) return true;
    page += 27 + segments.length + bytes;
  }
  return false;
}

/** An encoder flushes a frame or two even when it was given nothing. */
const minimumMp3Frames = 3;

function hasMp3Frames(clip: Uint8Array): boolean {
  let version: number | undefined;
  let frames = 0;
  for (let index = 0; index + 3 < clip.length; index += 1) {
    const [second = 0, third = 0] = clip.subarray(index + 1, index + 3);
    // A sync word of layer III, of the version that the first one has, with a bitrate and a rate that exist.
    if (clip[index] !== 0xff || (second & 0xe6) !== 0xe2 || second !== (version ?? second)) continue;
    if (third >> 4 === 0 || third >> 4 === 15 || (third & 12) === 12) continue;
    version = second;
    frames += 1;
    index += 3;
  }
  // The first frame may hold no sound but a table of the file.
  const text = String.fromCharCode(...clip.subarray(0, 1024));
  return frames - (/Xing|Info|VBRI/.test(text) ? 1 : 0) >= minimumMp3Frames;
}

import { readFrame, skipTags } from './mp3-frame.ts';

/** What bytes look like: the name of a format, in the words of people where it is none of ours. */
export function sniff(bytes: Uint8Array): 'wav' | 'mp3' | 'opus' | 'nothing known' | (string & {}) {
  const head = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  if (/^(RIFF|RIFX|RF64)....WAVE/s.test(head)) return 'wav';
  if (head.startsWith('OggS')) return head.includes('OpusHead') ? 'opus' : 'Ogg, but not Opus';
  if (head.startsWith('fLaC')) return 'FLAC';
  if (/^....ftyp/s.test(head)) return 'MP4';
  if (head.startsWith('\x1aE\xdf\xa3')) return 'Matroska or WebM';
  if (isMp3(bytes)) return 'mp3';
  if (bytes.length > 0 && isText(bytes.subarray(0, 512))) return 'text';
  return 'nothing known';
}

/** Three frames in a row from the start: two bytes that look like the head of a frame are in any file. */
function isMp3(bytes: Uint8Array): boolean {
  let position = skipTags(bytes);
  if (position > 0 && position >= bytes.length) return true;
  for (let frames = 0; frames < 3; frames += 1) {
    if (position >= bytes.length) return frames > 0;
    const frame = readFrame(bytes, position);
    if (frame === undefined) return false;
    position += frame.bytes;
  }
  return true;
}

function isText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127));
}

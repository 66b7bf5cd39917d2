/** Kinds of files that are read, told by their first bytes: names and media types of uploads are often wrong. */
export type Container = 'wav' | 'flac' | 'ogg' | 'webm' | 'mp4' | 'adts' | 'mp3';

/** `undefined` for what is none of them. */
export function sniffContainer(bytes: Uint8Array): Container | undefined {
  const start = afterTags(bytes);
  const has = (text: string, offset = 0): boolean =>
    [...text].every((character, index) => bytes[start + offset + index] === character.charCodeAt(0));
  if (has('RIFF') && has('WAVE', 8)) return 'wav';
  if (has('fLaC')) return 'flac';
  if (has('OggS')) return 'ogg';
  if (has('\x1a\x45\xdf\xa3')) return 'webm';
  if (has('ftyp', 4)) return 'mp4';
  const [first = 0, second = 0] = bytes.subarray(start);
  if (first !== 0xff || second === 0xff) return start > 0 ? 'mp3' : undefined;
  // Layer 0 is what AAC writes where MPEG audio has its layer.
  if ((second & 0xf6) === 0xf0) return 'adts';
  return (second & 0xe0) === 0xe0 && (second & 0x06) !== 0 ? 'mp3' : undefined;
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

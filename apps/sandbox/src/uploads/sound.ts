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

/** A stretch of decoded sound. */
export interface SoundBlock {
  /** All channels mixed into one, -1 to 1. */
  readonly samples: Float32Array;
  /** Hz. */
  readonly sampleRate: number;
  /** Of the file. */
  readonly channels: number;
}

/** A file that has been opened. */
export interface Sound {
  readonly container: Container;
  /** Such as `pcm`, `mp3`, `aac`. */
  readonly codec: string;
  /** The sound in order; `undefined` where this machine has no decoder for the codec. */
  readonly blocks?: AsyncIterable<SoundBlock> | Iterable<SoundBlock>;
  /** What the container tells by its packets, where nothing decodes them. */
  readonly measured?: Measured;
}

export interface Measured {
  readonly seconds: number;
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
}

/** All channels as one. */
export function mixDown(channels: readonly Float32Array[]): Float32Array {
  const [first, ...others] = channels;
  if (first === undefined || others.length === 0) return first ?? new Float32Array(0);
  const mixed = first.slice();
  for (const other of others) {
    for (let index = 0; index < mixed.length; index += 1)
      mixed[index] = (mixed[index] ?? 0) + (other[index] ?? 0);
  }
  return mixed.map((sample) => sample / channels.length);
}

/** A file that is no audio, is damaged, or takes more than its share of time. The message says which, for its sender. */
export class UnreadableAudioError extends Error {
  override readonly name = 'UnreadableAudioError';
}

import { adtsFrameBytes, findFrames, mp3FrameBytes } from './frames.ts';

/** Kinds of files that are read, told by their first bytes: names and media types of uploads are often wrong. */
export type Container = 'wav' | 'flac' | 'ogg' | 'webm' | 'mp4' | 'adts' | 'mp3';

/** `undefined` for what is none of them. */
export function sniffContainer(bytes: Uint8Array): Container | undefined {
  const start = afterTags(bytes);
  const has = (text: string, offset = 0): boolean =>
    [...text].every((character, index) => bytes[start + offset + index] === character.charCodeAt(0));
  if ((has('RIFF') || has('RF64')) && has('WAVE', 8)) return 'wav';
  if (has('fLaC')) return 'flac';
  if (has('OggS')) return 'ogg';
  if (has('\x1a\x45\xdf\xa3')) return 'webm';
  if (has('ftyp', 4)) return 'mp4';
  // A piece cut out of a stream begins in the middle of a frame.
  const mp3 = findFrames(bytes, start, mp3FrameBytes) ?? Number.POSITIVE_INFINITY;
  const adts = findFrames(bytes, start, adtsFrameBytes) ?? Number.POSITIVE_INFINITY;
  if (mp3 < adts) return 'mp3';
  return adts < mp3 ? 'adts' : undefined;
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
  /** Measurements from the container's packets, if nothing decodes them. */
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

/** The file is not audio, is damaged, or takes too long to decode. The message says which. */
export class UnreadableAudioError extends Error {
  override readonly name = 'UnreadableAudioError';
}

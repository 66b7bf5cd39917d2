import type { Container } from './sniff.ts';

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

import { limits } from '@speech-api/types';
import type { ClipFacts, HeardFile } from './clip-facts.ts';
import { findOutsideDecoder } from './outside-decoder-path.ts';
import { ReadingThreads } from './threads/reading-threads.ts';

export interface ReadOptions {
  /** Milliseconds for the whole file. @defaultValue 300 000 */
  readonly deadline?: number;
  /** Seconds of sound after which the rest is not read. @defaultValue a little more than a transcription may have */
  readonly mostSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface UploadsOptions {
  /** Files read at a time. @defaultValue 2 */
  readonly threads?: number;
  /** Path of an `ffmpeg` for what is not decoded here; null for none. @defaultValue the one on the PATH, if any */
  readonly outsideDecoder?: string | null;
  /** Milliseconds that a decoder may go without progress. @defaultValue 10 000 */
  readonly patience?: number;
}

/** Reads other people's sound files, away from the thread that answers requests. */
export interface Uploads {
  /**
   * What a clip of a voice is and sounds like.
   *
   * @throws UnreadableAudioError
   */
  inspectClip(bytes: Uint8Array, options?: ReadOptions): Promise<ClipFacts>;
  /**
   * Where a recording has voices, and its fingerprint.
   *
   * @throws UnreadableAudioError
   */
  hear(bytes: Uint8Array, options?: ReadOptions): Promise<HeardFile>;
  close(): Promise<void>;
}

const usualDeadline = 300_000;
/** A thread that starts on a busy machine takes many seconds before its first block; a good file was refused for it after ten. */
const usualPatience = 30_000;

/** Starts nothing before the first file comes. */
export function createUploads(options: UploadsOptions = {}): Uploads {
  const threads = new ReadingThreads(options.threads ?? 2);
  const patience = options.patience ?? usualPatience;
  const outsideDecoder =
    options.outsideDecoder === undefined ? findOutsideDecoder() : (options.outsideDecoder ?? undefined);
  const read = (task: 'hear' | 'inspect', bytes: Uint8Array, given: ReadOptions = {}) =>
    threads.read(
      // A little more than is allowed, to see that there is more.
      {
        task,
        bytes,
        mostSeconds: given.mostSeconds ?? limits.transcriptionMaximumSeconds + 1,
        outsideDecoder,
      },
      { deadline: given.deadline ?? usualDeadline, patience, signal: given.signal },
    );
  return {
    async inspectClip(bytes, given) {
      const result = await read('inspect', bytes, given);
      if (result.type !== 'inspected') throw new Error('The reading thread answered something else.');
      return result.clip;
    },
    async hear(bytes, given) {
      const result = await read('hear', bytes, given);
      if (result.type !== 'heard') throw new Error('The reading thread answered something else.');
      return result.file;
    },
    close: () => threads.close(),
  };
}

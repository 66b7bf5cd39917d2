import { availableParallelism, loadavg } from 'node:os';
import { JobLimitError, JobPool, programBeside } from '@speech-api/server';
import { limits } from '@speech-api/types';
import type { Span } from './measure.ts';
import { findOutsideDecoder } from './outside-decoder.ts';
import { type Container, UnreadableAudioError } from './sound.ts';

export interface ReadOptions {
  /** Milliseconds for the whole file. @defaultValue 6 000 for a small file, 300 000 for a large one */
  readonly deadline?: number;
  /** Seconds of sound after which the rest is not read. @defaultValue a little more than a transcription may have */
  readonly maximumSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface UploadsOptions {
  /** Path of an `ffmpeg` for what is not decoded here; null for none. @defaultValue the one on the PATH, if any */
  readonly outsideDecoder?: string | null;
}

/** Reads other people's sound files, away from the thread that answers requests. */
export interface Uploads {
  /**
   * Reads the format and the sound of a voice clip.
   *
   * @throws UnreadableAudioError
   */
  inspectClip(bytes: Uint8Array, options?: ReadOptions): Promise<ClipFacts>;
  /**
   * Finds the spans with voices in a recording, and its fingerprint.
   *
   * @throws UnreadableAudioError
   */
  hear(bytes: Uint8Array, options?: ReadOptions): Promise<HeardFile>;
  close(): Promise<void>;
}

/** Request to a reading thread, one file at a time. */
export interface ReadRequest {
  /** `hear` for the words, `inspect` for the voice. */
  readonly task: 'hear' | 'inspect';
  readonly bytes: Uint8Array;
  readonly maximumSeconds: number;
  /** Path of an `ffmpeg`, where there is one. */
  readonly outsideDecoder: string | undefined;
  /** Milliseconds of processor time for the whole file. */
  readonly processorTime: number;
}

/** Reply of a reading thread. */
export type ReadReply =
  | { readonly type: 'heard'; readonly file: HeardFile }
  | { readonly type: 'inspected'; readonly clip: ClipFacts }
  | { readonly type: 'failed'; readonly message: string };

const usualDeadline = 300_000;
/** Milliseconds of processor time for any file, and in all for one that needs no more. */
const leastProcessorTime = 5000;
const leastDeadline = 6000;
/** Milliseconds of processor time for a byte of a large file: an hour of speech in the lowest bitrates needs this much. */
const processorTimePerByte = 8 / 1000;
/** A small file holds its thread for a few seconds at most, so that none waits long; large ones are read elsewhere. */
const threads = { small: 4, large: 2 };
/** Together they take more than 100 MB. */
const idleMilliseconds = 10_000;

/** Starts nothing before the first file comes. */
export function createUploads(options: UploadsOptions = {}): Uploads {
  const program = programBeside(import.meta.url, './reading-thread');
  const small = new JobPool<ReadRequest, ReadReply>({ program, threads: threads.small, idleMilliseconds });
  const large = new JobPool<ReadRequest, ReadReply>({ program, threads: threads.large, idleMilliseconds });
  const outsideDecoder =
    options.outsideDecoder === undefined ? findOutsideDecoder() : (options.outsideDecoder ?? undefined);

  const read = async (task: 'hear' | 'inspect', bytes: Uint8Array, given: ReadOptions = {}) => {
    const request: ReadRequest = {
      task,
      bytes,
      // A little more than is allowed, to see that there is more.
      maximumSeconds: given.maximumSeconds ?? limits.transcriptionMaximumSeconds + 1,
      outsideDecoder,
      processorTime: Math.max(leastProcessorTime, bytes.length * processorTimePerByte),
    };
    const isSmall = request.processorTime === leastProcessorTime;
    const { deadline = isSmall ? leastDeadline * busyness() : usualDeadline, signal } = given;
    const { processorTime } = request;
    const pool = isSmall ? small : large;
    const reply = await pool.run(request, { deadline, processorTime, signal }).catch((error): ReadReply => {
      if (signal?.aborted) throw signal.reason;
      return { type: 'failed', message: messageOf(error) };
    });
    if (reply.type === 'failed') throw new UnreadableAudioError(reply.message);
    return reply;
  };

  return {
    async inspectClip(bytes, given) {
      const reply = await read('inspect', bytes, given);
      if (reply.type !== 'inspected') throw new Error('The reading thread did not answer with a clip.');
      return reply.clip;
    },
    async hear(bytes, given) {
      const reply = await read('hear', bytes, given);
      if (reply.type !== 'heard') throw new Error('The reading thread did not answer with a recording.');
      return reply.file;
    },
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

/** Threads per core of this machine, 1 to 4, so that a good file is not refused on a busy machine. */
function busyness(): number {
  return Math.min(4, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
}

function messageOf(error: unknown): string {
  return error instanceof JobLimitError
    ? 'decoding it takes too long; it may be damaged'
    : 'its decoder failed';
}

/** Format and length of a file. */
export interface FileFacts {
  readonly container: Container;
  /** Such as `pcm`, `mp3`, `opus`, `aac`. */
  readonly codec: string;
  /** Hz, of the file; that of Opus is not told and given as 8000. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Seconds, counted: samples where the sound was decoded, packets where it could not be. Headers are not asked. */
  readonly duration: number;
  /** Whether the file continues after the maximum that is read. */
  readonly cut: boolean;
  /** Whether the sound itself was decoded; if not, only the fields above are known. */
  readonly decoded: boolean;
}

/** Format and sound of a voice clip. */
export interface ClipFacts extends FileFacts {
  /** dB of full scale, where there is a voice; `undefined` where none was heard. */
  readonly loudness: number | undefined;
  /** Hz, the median; `undefined` where nothing voiced was heard. */
  readonly pitch: number | undefined;
  /** Syllables a second, estimated; `undefined` where too little was heard. */
  readonly syllableRate: number | undefined;
  /** Spans that may be speech. */
  readonly voice: readonly Span[];
}

/** Data for recalling the words of a recording. */
export interface HeardFile extends FileFacts {
  readonly voice: readonly Span[];
  /** Its fingerprint; empty where it was not decoded. */
  readonly frames: Uint32Array;
}

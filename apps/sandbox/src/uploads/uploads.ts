import { availableParallelism, loadavg } from 'node:os';
import { JobLimitError, JobPool, programBeside, Refusal } from '@speech-api/server';
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
   * Reads the format of a voice clip, and measures the voice.
   *
   * @throws UnreadableAudioError
   */
  inspectClip(bytes: Uint8Array, options?: ReadOptions): Promise<ReadFile>;
  /**
   * Finds the spans with voices in a recording, and its fingerprint.
   *
   * @throws UnreadableAudioError
   */
  hear(bytes: Uint8Array, options?: ReadOptions): Promise<ReadFile>;
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

/** Reply of a reading thread: the file, or why it cannot be read. */
export type ReadReply = ReadFile | string;

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
  const waitMilliseconds = usualDeadline;
  const large = new JobPool<ReadRequest, ReadReply>({
    program,
    threads: threads.large,
    idleMilliseconds,
    waitMilliseconds,
  });
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
      if (error instanceof Refusal) throw error;
      return error instanceof JobLimitError
        ? 'decoding it takes too long; it may be damaged'
        : 'its decoder failed';
    });
    if (typeof reply === 'string') throw new UnreadableAudioError(reply);
    return reply;
  };

  return {
    inspectClip: (bytes, given) => read('inspect', bytes, given),
    hear: (bytes, given) => read('hear', bytes, given),
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

/** Threads per core of this machine, 1 to 4, so that a good file is not refused on a busy machine. */
function busyness(): number {
  return Math.min(4, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
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

/** Format, length and sound of a file. */
export interface ReadFile extends FileFacts {
  /** Spans that may be speech. */
  readonly voice: readonly Span[];
  /** The fingerprint, to recall the words by; empty where the file was not decoded or not heard for them. */
  readonly frames: Uint32Array;
  /** dB of full scale, of a clip with a voice in it. */
  readonly loudness?: number | undefined;
  /** Hz, the median, of a clip with something voiced in it. */
  readonly pitch?: number | undefined;
  /** Syllables a second, estimated, of a clip with enough speech in it. */
  readonly syllableRate?: number | undefined;
}

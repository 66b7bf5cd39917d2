import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Container } from '@speech-api/audio';
import { limits } from '@speech-api/types';
import PQueue from 'p-queue';
import { UnreadableAudioError } from './sound.ts';

export interface ReadOptions {
  /** Seconds of sound after which the rest is not read. @defaultValue a little more than a transcription may have */
  readonly maximumSeconds?: number;
  readonly signal?: AbortSignal;
}

/** Reads uploaded sound files one at a time, away from the thread that answers requests. */
export interface Uploads {
  /**
   * Measures a file, and finds the spans with voices in it and its fingerprint.
   *
   * @throws UnreadableAudioError
   */
  read(bytes: Uint8Array, options?: ReadOptions): Promise<ReadFile>;
  close(): Promise<void>;
}

/** A stretch of a recording, in seconds from its start. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Format, length and sound of a file. */
export interface ReadFile {
  readonly container: Container;
  /** Codec, such as `pcm`, `mp3`, `opus`, `aac`. */
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
  /** Spans that may be speech. */
  readonly voice: readonly Span[];
  /** The fingerprint, to recall the words by. */
  readonly frames: Uint32Array;
}

/** A file for the reading thread, which reads one at a time. */
export interface ReadRequest {
  readonly bytes: Uint8Array;
  readonly maximumSeconds: number;
  /** Path of an `ffmpeg`, where there is one. */
  readonly outsideDecoder: string | undefined;
}

/** Messages of the reading thread: progress at the start and now and then, and at the end the file or what is wrong with it. */
export type ReadingMessage =
  | { readonly type: 'progress' }
  | { readonly type: 'file'; readonly file: ReadFile }
  | { readonly type: 'problem'; readonly message: string };

export interface UploadsOptions {
  /** Path of an `ffmpeg` for what is not decoded here; null for none. @defaultValue the one on the PATH, if any */
  readonly outsideDecoder?: string | null;
  /** Milliseconds without progress after which the thread is ended. @defaultValue 10 000 */
  readonly patience?: number;
}

/** No thread is started before the first file arrives. */
export function createUploads(options: UploadsOptions = {}): Uploads {
  const { patience = 10_000, outsideDecoder = findOutsideDecoder() } = options;
  const queue = new PQueue({ concurrency: 1 });
  let worker: Worker | undefined;

  const readNow = async (request: ReadRequest, signal: AbortSignal | undefined): Promise<ReadFile> => {
    signal?.throwIfAborted();
    // A thread that has ended has the id -1.
    const thread = worker && worker.threadId !== -1 ? worker : startWorker();
    const isNew = thread !== worker;
    worker = thread;
    const { promise, resolve, reject } = Promise.withResolvers<ReadFile>();
    let timer: NodeJS.Timeout | undefined;
    const end = (reason: unknown): void => {
      if (worker === thread) worker = undefined;
      void thread.terminate();
      reject(reason);
    };
    const wait = (milliseconds: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => end(new UnreadableAudioError(noProgress)), milliseconds);
    };
    const onMessage = (message: ReadingMessage): void => {
      if (message.type === 'file') resolve(message.file);
      else if (message.type === 'problem') reject(new UnreadableAudioError(message.message));
      else wait(patience);
    };
    const onFailure = (): void => end(new UnreadableAudioError('its decoder failed'));
    const onAbort = (): void => end(signal?.reason);
    thread.on('message', onMessage).on('error', onFailure).on('exit', onFailure);
    signal?.addEventListener('abort', onAbort, { once: true });
    thread.postMessage(request);
    wait(isNew ? patience + startMilliseconds : patience);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      thread.off('message', onMessage).off('error', onFailure).off('exit', onFailure);
      signal?.removeEventListener('abort', onAbort);
    }
  };

  return {
    read: (bytes, { maximumSeconds = usualMaximumSeconds, signal } = {}) =>
      queue.add(() =>
        readNow({ bytes, maximumSeconds, outsideDecoder: outsideDecoder ?? undefined }, signal),
      ),
    async close() {
      await worker?.terminate();
    },
  };
}

/** A little more than is allowed, to see that there is more. */
const usualMaximumSeconds = limits.transcriptionMaximumSeconds + 1;
const noProgress = 'decoding it makes no progress; it may be damaged';
/** This limits JavaScript's memory in the thread; bytes and samples are outside of it. */
const heapMegabytes = 256;

/** Time in which a thread loads its decoders, also on a busy machine. */
const startMilliseconds = 20_000;

function startWorker(): Worker {
  const program = new URL(`./reading-worker${import.meta.url.slice(-3)}`, import.meta.url);
  const worker = new Worker(program, {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  return worker.on('error', () => {});
}

export function findOutsideDecoder(path = process.env.PATH ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, 'ffmpeg'))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Known facts about a recording. Anything not measured is absent, never guessed. */
export interface ClipFacts {
  /** Reason why no voice can be made from it, as a sentence without its end; absent if one can. */
  readonly problem?: string;
  /** Measured from the decoded audio, not read from a header. */
  readonly seconds?: number;
  /** Seconds in which there seems to be a voice; absent where the sound was not decoded. */
  readonly speechSeconds?: number;
}

/** Checks whether a file is a recording, and measures its length. */
export async function inspectClip(
  bytes: Uint8Array,
  { uploads, signal }: { readonly uploads: Uploads; readonly signal: AbortSignal },
): Promise<ClipFacts> {
  try {
    const { duration, decoded, voice } = await uploads.read(bytes, { signal });
    const speech = voice.reduce((sum, { start, end }) => sum + end - start, 0);
    return { seconds: duration, ...(decoded && { speechSeconds: Math.round(speech * 100) / 100 }) };
  } catch (error) {
    if (error instanceof UnreadableAudioError) return { problem: error.message };
    throw error;
  }
}

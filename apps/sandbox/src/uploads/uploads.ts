import { Worker } from 'node:worker_threads';
import { limits } from '@speech-api/types';
import type { Span } from './measure.ts';
import { findOutsideDecoder } from './outside-decoder.ts';
import { type Container, UnreadableAudioError } from './sound.ts';

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

/** What a file is. */
export interface FileFacts {
  readonly container: Container;
  /** Such as `pcm`, `mp3`, `opus`, `aac`. */
  readonly codec: string;
  /** Hz, of the file; that of Opus is not told and given as 8000. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Seconds, counted: samples where the sound was decoded, packets where it could not be. Headers are not asked. */
  readonly duration: number;
  /** Whether it went on after the most that was to be read. */
  readonly cut: boolean;
  /** Whether the sound itself was heard; if not, nothing but the above is known. */
  readonly decoded: boolean;
}

/** What a clip of a voice sounds like. */
export interface ClipFacts extends FileFacts {
  /** dB of full scale, where there is a voice; `undefined` where none was heard. */
  readonly loudness: number | undefined;
  /** Hz, the median; `undefined` where nothing voiced was heard. */
  readonly pitch: number | undefined;
  /** Syllables a second, estimated; `undefined` where too little was heard. */
  readonly syllableRate: number | undefined;
  /** Where somebody seems to speak. */
  readonly voice: readonly Span[];
}

/** What is needed to recall the words of a recording. */
export interface HeardFile extends FileFacts {
  readonly voice: readonly Span[];
  /** Its fingerprint; empty where it was not decoded. */
  readonly frames: Uint32Array;
}

/** What a reading thread is asked, one file at a time. */
export interface ReadRequest {
  /** `hear` for the words, `inspect` for the voice. */
  readonly task: 'hear' | 'inspect';
  readonly bytes: Uint8Array;
  readonly mostSeconds: number;
  /** Path of an `ffmpeg`, where there is one. */
  readonly outsideDecoder: string | undefined;
}

/** Any number of `progress` and `child` replies, then one of the others. */
export type ReadReply =
  | { readonly type: 'progress' }
  | { readonly type: 'child'; readonly pid: number; readonly running: boolean }
  | { readonly type: 'heard'; readonly file: HeardFile }
  | { readonly type: 'inspected'; readonly clip: ClipFacts }
  | { readonly type: 'failed'; readonly message: string };

export interface ReadLimits {
  /** Milliseconds for the whole file. */
  readonly deadline: number;
  /** Milliseconds without progress. A decoder that has lost its way makes none. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
}

type Result = Extract<ReadReply, { type: 'heard' | 'inspected' }>;

/** JavaScript's own memory; the sound itself is outside of it and never there as a whole. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Reads files in threads of their own, so many at a time; the rest wait. A thread that hangs is ended and replaced. */
export class ReadingThreads {
  readonly #most: number;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  /** @param most threads at a time; none is started before it is needed */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * @throws UnreadableAudioError when the file cannot be read within the limits
   */
  async read(request: ReadRequest, limits: ReadLimits): Promise<Result> {
    await this.#turn();
    try {
      limits.signal?.throwIfAborted();
      return await this.#readIn(this.#idle.pop() ?? this.#start(), request, limits);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  async #turn(): Promise<void> {
    while (this.#busy >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy += 1;
  }

  #start(): Worker {
    // Run from source in tests, and from the build otherwise.
    const program = import.meta.url.endsWith('.ts') ? './reading-thread.ts' : './reading-thread.js';
    // Decoders complain on the error stream; what they say of a stranger's file is nobody's concern.
    const worker = new Worker(new URL(program, import.meta.url), {
      execArgv: [],
      resourceLimits,
      stderr: true,
    });
    worker.stderr.resume();
    this.#all.add(worker);
    worker.once('exit', () => this.#all.delete(worker));
    // An idle thread keeps no process alive.
    worker.unref();
    return worker;
  }

  #readIn(worker: Worker, request: ReadRequest, limits: ReadLimits): Promise<Result> {
    return new Promise((resolve, reject) => {
      const children = new Set<number>();
      const leave = (): void => {
        clearTimeout(deadline);
        clearTimeout(patience);
        limits.signal?.removeEventListener('abort', onAbort);
        worker.removeAllListeners('message').off('error', onError).off('exit', onError);
        worker.unref();
      };
      const end = (error: Error): void => {
        leave();
        // A crash may follow; it has been answered.
        worker.on('error', () => {});
        void worker.terminate();
        for (const pid of children) endProcess(pid);
        reject(error);
      };
      const late = (): void => end(new UnreadableAudioError('decoding it takes too long; it may be damaged'));
      const onAbort = (): void => end(limits.signal?.reason as Error);
      const onError = (): void => end(new UnreadableAudioError('its decoder failed'));
      const deadline = setTimeout(late, limits.deadline);
      const patience = setTimeout(late, limits.patience);
      worker.on('message', (reply: ReadReply) => {
        if (reply.type === 'progress') patience.refresh();
        else if (reply.type === 'child') children[reply.running ? 'add' : 'delete'](reply.pid);
        else {
          leave();
          this.#idle.push(worker);
          if (reply.type === 'failed') reject(new UnreadableAudioError(reply.message));
          else resolve(reply);
        }
      });
      worker.once('error', onError).once('exit', onError);
      limits.signal?.addEventListener('abort', onAbort, { once: true });
      worker.ref();
      worker.postMessage(request);
    });
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

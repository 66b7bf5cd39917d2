import { Worker } from 'node:worker_threads';
import { UnreadableAudioError } from '../unreadable-audio-error.ts';
import type { ReadReply, ReadRequest } from './thread-protocol.ts';

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

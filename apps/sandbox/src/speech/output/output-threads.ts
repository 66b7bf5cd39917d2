import { Worker } from 'node:worker_threads';
import type { AudioOutput, OutputSettings } from './output.ts';

/** What the main thread asks; `stream` is a number of its own choosing, one an answer that is being made. */
export type ThreadRequest =
  | { readonly type: 'open'; readonly stream: number; readonly settings: OutputSettings }
  | {
      readonly type: 'write';
      readonly stream: number;
      readonly samples: Int16Array;
      readonly decibels: number;
    }
  | { readonly type: 'end'; readonly stream: number }
  | { readonly type: 'free'; readonly stream: number };

/** One an answer to `open`, `write` and `end`, in their order within a stream; `free` has none. */
export type ThreadReply =
  | { readonly type: 'opened'; readonly stream: number; readonly leadingSeconds: number }
  | { readonly type: 'bytes'; readonly stream: number; readonly bytes: Uint8Array }
  | { readonly type: 'failed'; readonly stream: number; readonly message: string };

interface Waiting {
  resolve(reply: ThreadReply): void;
  reject(reason: Error): void;
}

/**
 * Audio outputs that do their work in threads of their own, so that a thread that answers requests is never
 * busy for as long as it takes to encode.
 */
export class OutputThreads {
  readonly #threads: (OutputThread | undefined)[];
  readonly #deadline: number;
  #streams = 0;

  /** @param deadline milliseconds for the next answer of a thread. @defaultValue 30 000 */
  constructor(count: number, deadline = 30_000) {
    this.#deadline = deadline;
    this.#threads = Array.from({ length: count }, () => new OutputThread(deadline));
  }

  /** Settles when every thread has compiled and run its encoders. */
  async ready(): Promise<void> {
    const settings = {
      format: 'pcm',
      sampleRate: 44100,
      mp3Bitrate: 0,
      opusBitrate: 0,
      volume: 0,
      normalizeLoudness: false,
    } as const;
    const outputs = await Promise.all(this.#threads.map(() => this.create(settings)));
    for (const output of outputs) output.free();
  }

  async create(settings: OutputSettings): Promise<AudioOutput> {
    this.#streams += 1;
    return this.#thread(this.#streams).open(this.#streams, settings);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread?.close()));
  }

  /** In turn; a thread that has died is replaced. */
  #thread(stream: number): OutputThread {
    const index = stream % this.#threads.length;
    const thread = this.#threads[index];
    if (thread !== undefined && !thread.dead) return thread;
    const fresh = new OutputThread(this.#deadline);
    this.#threads[index] = fresh;
    return fresh;
  }
}

class OutputThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #deadline: number;
  #timer: NodeJS.Timeout | undefined;
  dead = false;

  /** @param deadline milliseconds after which a thread that owes an answer and gives none is ended */
  constructor(deadline: number) {
    this.#deadline = deadline;
    // Run from source in tests, and from the build otherwise.
    const program = import.meta.url.endsWith('.ts') ? './output-thread.ts' : './output-thread.js';
    this.#worker = new Worker(new URL(program, import.meta.url), { execArgv: [] });
    this.#worker.on('message', (reply: ThreadReply) => {
      const waiting = this.#waiting.get(reply.stream);
      this.#waiting.delete(reply.stream);
      this.#watch();
      if (reply.type === 'failed') waiting?.reject(new Error(`Encoding failed: ${reply.message}`));
      else waiting?.resolve(reply);
    });
    this.#worker.on('error', (error) =>
      this.#fail(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on('exit', () => this.#fail(new Error('The encoding thread ended.')));
  }

  async open(stream: number, settings: OutputSettings): Promise<AudioOutput> {
    const reply = await this.#ask({ type: 'open', stream, settings });
    if (reply.type !== 'opened') throw new Error('The encoding thread answered out of turn.');
    return {
      leadingSeconds: reply.leadingSeconds,
      write: (samples, decibels) => this.#bytes({ type: 'write', stream, samples, decibels }),
      end: () => this.#bytes({ type: 'end', stream }),
      free: () => this.#worker.postMessage({ type: 'free', stream } satisfies ThreadRequest),
    };
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #bytes(request: ThreadRequest): Promise<Uint8Array> {
    const reply = await this.#ask(request);
    if (reply.type !== 'bytes') throw new Error('The encoding thread answered out of turn.');
    return reply.bytes;
  }

  #ask(request: ThreadRequest): Promise<ThreadReply> {
    return new Promise((resolve, reject) => {
      if (this.dead) throw new Error('The encoding thread has ended.');
      this.#waiting.set(request.stream, { resolve, reject });
      if (this.#timer === undefined) this.#watch();
      this.#worker.postMessage(request);
    });
  }

  /** One timer a thread: there are thousands of answers a second. */
  #watch(): void {
    if (this.#waiting.size === 0) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => {
        this.#fail(new Error(`The encoding thread gave no answer for ${this.#deadline} ms.`));
        void this.#worker.terminate();
      }, this.#deadline);
    } else {
      this.#timer.refresh();
    }
  }

  #fail(error: Error): void {
    this.dead = true;
    clearTimeout(this.#timer);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

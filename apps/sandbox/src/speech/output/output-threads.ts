import { Worker } from 'node:worker_threads';
import type { AudioOutput, OutputSettings } from './output.ts';
import type { ThreadReply, ThreadRequest } from './thread-protocol.ts';

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
  #streams = 0;

  constructor(count: number) {
    this.#threads = Array.from({ length: count }, () => new OutputThread());
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
    const fresh = new OutputThread();
    this.#threads[index] = fresh;
    return fresh;
  }
}

class OutputThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  dead = false;

  constructor() {
    // Run from source in tests, and from the build otherwise.
    const program = import.meta.url.endsWith('.ts') ? './output-thread.ts' : './output-thread.js';
    this.#worker = new Worker(new URL(program, import.meta.url), { execArgv: [] });
    this.#worker.on('message', (reply: ThreadReply) => {
      const waiting = this.#waiting.get(reply.stream);
      this.#waiting.delete(reply.stream);
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
      this.#worker.postMessage(request);
    });
  }

  #fail(error: Error): void {
    this.dead = true;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { programBeside } from '@speech-api/server';
import type { AudioOutput, OutputSettings } from './output.ts';

/** One stream of audio: the thread answers each message on the port with bytes, the first one with the delay. */
export interface OutputTask {
  readonly settings: OutputSettings;
  readonly port: MessagePort;
}

/** Samples to encode, or the end of the stream. */
export type OutputRequest = { readonly samples: Int16Array; readonly decibels: number } | 'end';

/** Megabytes of JavaScript's own memory in a thread; bytes and samples are outside of it. */
const heapMegabytes = 256;

/**
 * Audio outputs that do their work in threads of their own, so that a thread that answers requests is never
 * busy for as long as it takes to encode. A thread makes any number of streams at a time: most of them wait for
 * their listeners.
 */
export class OutputThreads {
  readonly #threads = new Set<OutputThread>();
  readonly #most: number;
  readonly #deadline: number;

  /** @param deadline milliseconds for the next answer of a thread, after which it is replaced. @defaultValue 30 000 */
  constructor(threads: number, deadline = 30_000) {
    this.#most = threads;
    this.#deadline = deadline;
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
    const outputs = await Promise.all(Array.from({ length: this.#most }, () => this.create(settings)));
    for (const output of outputs) output.free();
  }

  async create(settings: OutputSettings): Promise<AudioOutput> {
    const thread = this.#leastBusy();
    const { port1: port, port2 } = new MessageChannel();
    thread.streams += 1;
    thread.worker.postMessage({ settings, port: port2 } satisfies OutputTask, [port2]);
    const freed = new AbortController();
    const gone = AbortSignal.any([freed.signal, thread.gone.signal]);
    const free = (): void => {
      if (freed.signal.aborted) return;
      freed.abort(new Error('This stream is not open.'));
      thread.streams -= 1;
      port.close();
    };
    const answer = async (): Promise<unknown> => {
      const silent = new Error(`The encoding thread gave no answer for ${this.#deadline} ms.`);
      const timer = setTimeout(() => thread.end(silent), this.#deadline);
      try {
        const [reply] = await once(port, 'message', { signal: gone });
        if (reply instanceof Error) throw reply;
        return reply;
      } catch (error) {
        throw gone.aborted ? gone.reason : error;
      } finally {
        clearTimeout(timer);
      }
    };
    const ask = async (request: OutputRequest): Promise<Uint8Array> => {
      port.postMessage(request);
      return (await answer()) as Uint8Array;
    };
    try {
      const leadingSeconds = (await answer()) as number;
      return {
        leadingSeconds,
        write: (samples, decibels) => ask({ samples, decibels }),
        end: () => ask('end'),
        free,
      };
    } catch (error) {
      free();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.end(new Error('The encoders have ended.'))));
  }

  #leastBusy(): OutputThread {
    if (this.#threads.size < this.#most) {
      const thread = new OutputThread();
      this.#threads.add(thread);
      thread.gone.signal.addEventListener('abort', () => this.#threads.delete(thread));
      return thread;
    }
    return [...this.#threads].reduce((one, other) => (other.streams < one.streams ? other : one));
  }
}

class OutputThread {
  readonly worker = new Worker(programBeside(import.meta.url, './output-thread'), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  /** Aborted when the thread ends, with the reason. */
  readonly gone = new AbortController();
  streams = 0;

  constructor() {
    this.worker.on('error', (error) => this.gone.abort(error));
    this.worker.on('exit', () => this.gone.abort(new Error('The encoding thread has ended.')));
    // A stream that is waited for keeps the process alive by its port.
    this.worker.unref();
  }

  async end(reason: Error): Promise<void> {
    this.gone.abort(reason);
    await this.worker.terminate();
  }
}

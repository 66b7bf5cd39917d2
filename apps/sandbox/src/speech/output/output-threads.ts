import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { JobPool, programBeside } from '@speech-api/server';
import type { AudioOutput, OutputSettings } from './output.ts';

/** One stream of audio: the thread answers each message on the port with bytes, the first one with the delay. */
export interface OutputTask {
  readonly settings: OutputSettings;
  readonly port: MessagePort;
}

/** Samples to encode, or the end of the stream. */
export type OutputRequest = { readonly samples: Int16Array; readonly decibels: number } | 'end';

/** Far more than are spoken at a time. */
const streamsPerThread = 1000;

/**
 * Audio outputs that do their work in threads of their own, so that a thread that answers requests is never
 * busy for as long as it takes to encode.
 */
export class OutputThreads {
  readonly #pool: JobPool<OutputTask, void>;
  readonly #threads: number;
  readonly #deadline: number;

  /** @param deadline milliseconds for the next answer of a thread, after which it is replaced. @defaultValue 30 000 */
  constructor(threads: number, deadline = 30_000) {
    const program = programBeside(import.meta.url, './output-thread');
    this.#pool = new JobPool({ program, threads, jobsPerThread: streamsPerThread });
    this.#threads = threads;
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
    const outputs = await Promise.all(Array.from({ length: this.#threads }, () => this.create(settings)));
    for (const output of outputs) output.free();
  }

  async create(settings: OutputSettings): Promise<AudioOutput> {
    const { port1: port, port2 } = new MessageChannel();
    const stuck = new AbortController();
    const gone = new AbortController();
    this.#pool.run({ settings, port: port2 }, { signal: stuck.signal }, [port2]).then(
      () => gone.abort(new Error('This stream is not open.')),
      (error: unknown) => gone.abort(error),
    );
    const answer = async (): Promise<unknown> => {
      const silent = new Error(`The encoding thread gave no answer for ${this.#deadline} ms.`);
      const timer = setTimeout(() => stuck.abort(silent), this.#deadline);
      try {
        const [reply] = await once(port, 'message', { signal: gone.signal });
        return reply;
      } catch (error) {
        throw gone.signal.aborted ? gone.signal.reason : error;
      } finally {
        clearTimeout(timer);
      }
    };
    const ask = async (request: OutputRequest): Promise<Uint8Array> => {
      port.postMessage(request);
      return (await answer()) as Uint8Array;
    };
    return {
      leadingSeconds: (await answer()) as number,
      write: (samples, decibels) => ask({ samples, decibels }),
      end: () => ask('end'),
      free: () => port.close(),
    };
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

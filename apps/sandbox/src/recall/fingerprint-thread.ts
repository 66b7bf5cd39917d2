import { Worker } from 'node:worker_threads';
import type { FingerprintReply, FingerprintRequest } from './spoken-thread-protocol.ts';

/** Fingerprints samples in a thread that is started when it is first needed, and again when it has died. */
export class FingerprintThread {
  readonly #waiting = new Map<number, (frames: Uint32Array) => void>();
  #worker: Worker | undefined;
  #number = 0;

  /**
   * @param samples handed over: not to be used after
   * @returns no frames when the thread has ended before it was done
   */
  fingerprint(samples: Int16Array, sampleRate: number): Promise<Uint32Array> {
    this.#number += 1;
    const request: FingerprintRequest = { number: this.#number, samples, sampleRate };
    return new Promise((resolve) => {
      this.#waiting.set(request.number, resolve);
      this.#worker ??= this.#start();
      this.#worker.postMessage(request, [samples.buffer as ArrayBuffer]);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // Run from source in tests, and from the build otherwise.
    const program = import.meta.url.endsWith('.ts') ? './spoken-thread.ts' : './spoken-thread.js';
    const worker = new Worker(new URL(program, import.meta.url), { execArgv: [] });
    worker.on('message', ({ number, frames }: FingerprintReply) => {
      this.#waiting.get(number)?.(frames);
      this.#waiting.delete(number);
    });
    // The exit that follows is what is acted on.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = undefined;
      for (const resolve of this.#waiting.values()) resolve(new Uint32Array(0));
      this.#waiting.clear();
    });
    return worker;
  }
}

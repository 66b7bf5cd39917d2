import type { cutRecording } from '../cut-recording.ts';
import { cutThrough } from '../worker/cut-through.ts';
import type { FromWorker } from '../worker/serve-cuts.ts';

/** Limits of the worker. */
export interface CutInWorkerOptions {
  /** Milliseconds it may take for a piece of the file before it is ended. @defaultValue 30000 */
  readonly deadline?: number;
  /**
   * Starts the worker, for pages whose bundler does not find it: a module `Worker` of
   * `@speech-api/recordings/browser-worker`. Its type is `object`, so that programs without the types of a page compile.
   */
  readonly startWorker?: () => object;
}

/**
 * `cutRecording` in a Web Worker, for untrusted files: what spins is ended, and the page never freezes. Pass it as `cut`.
 * A `Blob` or `File` is read by the worker itself. Bundlers that know `new Worker(new URL(…))`, such as Vite and
 * webpack, need nothing else.
 *
 * @example
 * ```ts
 * import { cutInWorker } from '@speech-api/recordings/browser';
 *
 * const options = { cut: cutInWorker({ deadline: 10_000 }) };
 * ```
 */
export function cutInWorker({
  deadline = 30_000,
  startWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
}: CutInWorkerOptions = {}): typeof cutRecording {
  return cutThrough(
    () => {
      const worker = startWorker() as Worker;
      return {
        post: (message, transfer = []) => worker.postMessage(message, transfer),
        listen(onMessage) {
          worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => onMessage(data));
          worker.addEventListener('error', ({ message }) => {
            const reason = message || 'its file was not found, or the page may not start workers';
            onMessage({
              type: 'error',
              message: `the worker that reads the recording could not start: ${reason}`,
            });
          });
        },
        end: () => worker.terminate(),
      };
    },
    { deadline, refer: (whole) => (whole instanceof Blob ? { blob: whole } : undefined) },
  );
}

import { Worker } from 'node:worker_threads';
import { CannotJudge } from '../errors.ts';
import type { Report } from '../judge/report.ts';
import type { Said, ThreadData, Told } from './judging-thread.ts';
import type { Copy } from './record.ts';

/** Judges copies in a thread of its own, one after the other. */
export interface Judging {
  add(copy: Copy): void;
  /** Judges what is left and says what came of it all. @throws CannotJudge when the thread fails or needs too long */
  finish(): Promise<Report>;
}

/** JavaScript's own memory: one answer of many small values takes a multiple of its bytes. */
const resourceLimits = { maxOldGenerationSizeMb: 2048 };

/** Milliseconds for what is left when the proxy ends. */
const finishMs = 120_000;

/** Starts the thread. `onJudged` is called for each copy, in order. */
export function startJudging(
  workerData: ThreadData,
  onJudged: (judged: Exclude<Said, { report: Report }>) => void,
): Judging {
  // Run from source in tests, and from the build otherwise.
  const program = import.meta.url.endsWith('.ts') ? './judging-thread.ts' : './judging-thread.js';
  const worker = new Worker(new URL(program, import.meta.url), { workerData, resourceLimits, execArgv: [] });
  const outcome = Promise.withResolvers<Report>();
  // It is looked at once the proxy ends.
  outcome.promise.catch(() => {});
  worker.on('message', (said: Said) => ('report' in said ? outcome.resolve(said.report) : onJudged(said)));
  worker.on('error', outcome.reject);
  worker.on('exit', () => outcome.reject(new Error('it ended without a word')));
  const tell = (told: Told) => worker.postMessage(told);
  return {
    add: tell,
    async finish() {
      tell('report');
      const late = () => outcome.reject(new Error(`it was not done after ${finishMs / 1000} seconds`));
      const timer = setTimeout(late, finishMs);
      try {
        return await outcome.promise;
      } catch (error) {
        throw new CannotJudge(`The thread that judges failed: ${(error as Error).message}.`);
      } finally {
        clearTimeout(timer);
        await worker.terminate();
      }
    },
  };
}

import { Worker } from 'node:worker_threads';
import { CannotJudge } from '../errors.ts';
import type { Finding, Report } from '../judge/report.ts';
import type { Copy } from './copies.ts';
import type { Said, ThreadData, Told } from './judging-thread.ts';

/** Judges copies in a thread of its own, one after the other. */
export interface Judging {
  /** Hands a copy over; its bytes are the thread's from now on. */
  add(copy: Copy, bytes: number): void;
  /** Judges what is left and says what came of it all. @throws CannotJudge when the thread fails or needs too long */
  finish(): Promise<Report>;
}

/** JavaScript's own memory: one answer of many small values takes a multiple of its bytes. */
const resourceLimits = { maxOldGenerationSizeMb: 2048 };

/** Milliseconds for what is left when the proxy ends. */
const finishMs = 120_000;

/** Starts the thread. `onJudged` is called for each copy, in order. */
export function startJudging(
  data: ThreadData,
  onJudged: (judged: {
    name: string;
    bytes: number;
    findings: readonly Finding[];
    notJudged?: string;
  }) => void,
): Judging {
  // Run from source in tests, and from the build otherwise.
  const program = import.meta.url.endsWith('.ts') ? './judging-thread.ts' : './judging-thread.js';
  const worker = new Worker(new URL(program, import.meta.url), {
    workerData: data,
    resourceLimits,
    execArgv: [],
  });
  let failure: Error | undefined;
  let settle: ((report: Report | Error) => void) | undefined;
  worker.on('message', (said: Said) => {
    if ('report' in said) settle?.(said.report);
    else {
      const { judged: name, bytes, findings, notJudged } = said;
      onJudged({ name, bytes, findings, ...(notJudged !== undefined && { notJudged }) });
    }
  });
  const fail = (error: Error) => {
    failure ??= error;
    settle?.(failure);
  };
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => fail(new Error('it ended without a word')));
  const tell = (told: Told, transfer: ArrayBuffer[] = []) => worker.postMessage(told, transfer);
  return {
    add(copy, bytes) {
      if (failure === undefined)
        tell(
          { copy, bytes },
          copy.pieces.map((piece) => piece.bytes.buffer as ArrayBuffer),
        );
    },
    async finish() {
      const outcome = await new Promise<Report | Error>((resolve) => {
        settle = resolve;
        if (failure !== undefined) resolve(failure);
        else tell('report');
        setTimeout(
          () => resolve(new Error(`it was not done after ${finishMs / 1000} seconds`)),
          finishMs,
        ).unref();
      });
      settle = undefined;
      await worker.terminate();
      if (outcome instanceof Error)
        throw new CannotJudge(`The thread that judges failed: ${outcome.message}.`);
      return outcome;
    },
  };
}

import { threadId } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { Refusal, type RefusalDetails } from '../refuse/refusal.ts';
import { type Job, type JobReport, movableBuffersIn } from '../threads/job-pool.ts';
import {
  createStandards,
  type JudgedRequest,
  judgeRequest,
  type ReadRequest,
  type ReceiverOptions,
  type Standards,
} from './judge.ts';

// The program of the threads that judge large requests, away from the thread that answers all others.

/** A large request, and by which standards to judge it. */
export interface JudgeTask {
  readonly request: ReadRequest;
  readonly options: ReceiverOptions;
}

/** A `Refusal` is an error with a prototype, which does not travel between threads. */
export type JudgeReply =
  | { readonly judged: JudgedRequest }
  | { readonly refusal: string; readonly details: RefusalDetails };

const known = new Map<string, Standards>();

/** Judges one request. */
export async function doJob({ task: { request, options }, control }: Job<JudgeTask>): Promise<JudgeReply> {
  control.postMessage({ type: 'started', threadId } satisfies JobReport);
  const key = JSON.stringify(options);
  const standards = known.get(key) ?? createStandards(options);
  known.set(key, standards);
  try {
    const judged = await judgeRequest(request, standards);
    // The pool takes this apart again: what arrives is the value, whose bytes have moved instead of being copied.
    const moving = { [transferableSymbol]: [...movableBuffersIn(judged.body)], [valueSymbol]: { judged } };
    return move(moving as never) as unknown as JudgeReply;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, issues, headers } = error;
    return { refusal: error.entry.id, details: { message, issues, headers } };
  }
}

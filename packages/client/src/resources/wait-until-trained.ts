import type { VoiceModel } from '@speech-api/types';
import { sleep } from '../core/retry.ts';
import { AbortError } from '../errors/abort-error.ts';
import { TimeoutError } from '../errors/timeout-error.ts';
import { TrainingError } from '../errors/training-error.ts';
import type { CallOptions } from '../options.ts';

/** How a training is waited for. Times are in milliseconds. */
export interface WaitOptions extends CallOptions {
  /** When to give up. @defaultValue 600000 (ten minutes) */
  readonly deadline?: number | undefined;
  /** Before the second read; each further wait is half as long again. @defaultValue 1000 */
  readonly minimumDelay?: number | undefined;
  /** No wait is longer. @defaultValue 15000 */
  readonly maximumDelay?: number | undefined;
}

/** Reads with `get` until the model is trained; a state of tomorrow counts as not yet. */
export async function waitUntilTrained(
  get: (signal: AbortSignal) => Promise<VoiceModel>,
  { signal, deadline = 600_000, minimumDelay = 1000, maximumDelay = 15_000 }: WaitOptions,
): Promise<VoiceModel> {
  const controller = new AbortController();
  const late = new TimeoutError('training', deadline);
  const timer = deadline < 2 ** 31 ? setTimeout(() => controller.abort(late), deadline) : undefined;
  const onAbort = (): void => controller.abort(new AbortError(signal?.reason));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    for (let delay = minimumDelay; ; delay *= 1.5) {
      const model = await get(controller.signal);
      if (model.state === 'trained') return model;
      if (model.state === 'failed') throw new TrainingError(model);
      // A few per cent of jitter keep many waiters from asking in step.
      await sleep(Math.min(delay, maximumDelay) * (0.9 + Math.random() / 10), controller.signal);
    }
  } catch (error) {
    // A read that was aborted tells what aborted it.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

import type { RetryOptions } from '../options.ts';

/** Whether a complete answer of this status may be tried again. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * How long to wait before the next try, in milliseconds; undefined is: give up.
 *
 * Full jitter spreads clients that failed together; a service that asks for longer than we would ever wait gets
 * no further try, for an earlier one would be refused again.
 */
export function retryDelay(
  options: Required<RetryOptions>,
  method: string,
  retriesDone: number,
  retryAfterSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (retriesDone >= options.retries || !options.methods.includes(method)) return undefined;
  if (retryAfterSeconds !== undefined) {
    const asked = retryAfterSeconds * 1000;
    return asked <= options.maximumDelay ? asked : undefined;
  }
  return random() * Math.min(options.maximumDelay, options.minimumDelay * 2 ** retriesDone);
}

/** Waits, or rejects with the signal's reason. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

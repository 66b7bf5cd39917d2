// Timers of every runtime overflow for a longer delay and fire at once.
const longestTimer = 2 ** 31 - 1;

/** Calls `act` after this many milliseconds, or never for `Infinity`. Returns a function that cancels it. */
export function after(milliseconds: number, act: () => void): () => void {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => undefined;
  const timer = setTimeout(act, Math.min(milliseconds, longestTimer));
  return () => clearTimeout(timer);
}

/** Waits, or rejects with the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      stop();
      reject(signal?.reason);
    };
    const stop = after(milliseconds, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

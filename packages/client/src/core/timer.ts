// A longer delay overflows the timers of every runtime, which then fire at once.
const longestTimer = 2 ** 31 - 1;

/** Calls `act` after this many milliseconds, however many they are. Returns the way to stop it. */
export function after(milliseconds: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = (left: number): void => {
    timer = setTimeout(
      () => (left > longestTimer ? start(left - longestTimer) : act()),
      Math.min(left, longestTimer),
    );
  };
  if (milliseconds !== Number.POSITIVE_INFINITY) start(milliseconds);
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

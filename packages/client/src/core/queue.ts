/** Lets `limit` holders in at a time, first come, first served. */
export interface Queue {
  /** Resolves to the way out when there is a place; `signal` leaves the line. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function createQueue(limit: number): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;

  function leave(): void {
    running -= 1;
    waiting.shift()?.();
  }

  function take(): () => void {
    running += 1;
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  }

  return {
    async enter(signal) {
      // Whoever comes while others wait stands behind them, even if a place has just become free.
      if (running < limit && waiting.length === 0) return take();
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(admit), 1);
          reject(signal.reason);
        };
        const admit = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve(take());
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(admit);
      });
    },
  };
}

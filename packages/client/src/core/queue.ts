/**
 * Lets a number of holders in at a time, first come, first served. The number follows what the service says
 * of its own limit, and falls when the service refuses.
 */
export interface Queue {
  /** Resolves to the way out when there is a place; `signal` leaves the line. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** An answer came: `announced` is the limit that it names, `refused` that it was one call too many. */
  learn(announced: number, refused: boolean): void;
}

/** @param most - Never more than this, whatever the service says; `Infinity` lets the service decide. */
export function createQueue(most: number): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;
  let limit = most;
  let ceiling = most;
  let successes = 0;

  function admitMore(): void {
    while (running < limit) {
      const admit = waiting.shift();
      if (!admit) return;
      admit();
    }
  }

  function take(): () => void {
    running += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      running -= 1;
      admitMore();
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

    learn(announced, refused) {
      if (announced >= 1) {
        // A limit that was never lowered rises with the account at once.
        const lowered = limit < ceiling;
        ceiling = Math.min(most, announced);
        limit = lowered ? Math.min(limit, ceiling) : ceiling;
      }
      if (refused) {
        // One below what ran just now: several refusals at once end where the service's limit is, and not at 1.
        limit = Math.max(1, Math.min(limit, running - 1));
        successes = 0;
      } else if (limit < ceiling) {
        // Others may share the account, so what was lost comes back slowly: one place a round of successes.
        successes += 1;
        if (successes >= limit) {
          limit += 1;
          successes = 0;
        }
      }
      admitMore();
    },
  };
}

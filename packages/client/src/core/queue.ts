import { headerNames } from '@speech-api/types/constants';

/**
 * Lets a number of holders in at a time, first come, first served. The number follows what the service says
 * of its own limit, and falls when the service refuses.
 */
export interface Queue {
  /** The way out, when there is a place right now and nobody waits for it. */
  enterNow(): (() => void) | undefined;
  /** Resolves to the way out when there is a place; `signal` leaves the line. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** An answer came: its headers may name the limit, and 429 may say that it was one call too many. */
  learn(status: number, headers: Headers): void;
}

/** A limit that was lowered is forgotten after so long without a refusal. Milliseconds. */
const memory = 60_000;

const rateHeaders = [headerNames.retryAfter, 'ratelimit', 'ratelimit-remaining', 'x-ratelimit-remaining'];

/**
 * @param maximum - Never more than this, whatever the service says; `Infinity` lets the service decide.
 * @param adapts - Whether the service's answers may lower the number.
 */
export function createQueue(maximum: number, adapts = true, now: () => number = Date.now): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;
  let limit = maximum;
  let ceiling = maximum;
  let successes = 0;
  let refusedAt = 0;

  function admitMore(): void {
    if (limit < ceiling && now() - refusedAt > memory) limit = ceiling;
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

  function enterNow(): (() => void) | undefined {
    // A newcomer goes behind those who wait, even if a place has just become free.
    admitMore();
    return running < limit && waiting.length === 0 ? take() : undefined;
  }

  return {
    enterNow,

    enter(signal) {
      return new Promise((resolve, reject) => {
        const leave = enterNow();
        if (leave) return resolve(leave);
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

    learn(status, headers) {
      if (!adapts) return;
      const announced = Math.floor(Number(headers.get(headerNames.concurrencyLimit)));
      if (announced >= 1) {
        // A limit that was never lowered rises with the account at once.
        const lowered = limit < ceiling;
        ceiling = Math.min(maximum, announced);
        limit = lowered ? Math.min(limit, ceiling) : ceiling;
      }
      if (status === 429) {
        // A limit of rate says when to come back, and fewer calls at once would not help.
        if (!(announced >= 1) && rateHeaders.some((name) => headers.has(name))) return;
        // One below what ran just now: several refusals at once end where the service's limit is, and not at 1.
        limit = Math.max(1, Math.min(limit, running - 1));
        successes = 0;
        refusedAt = now();
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

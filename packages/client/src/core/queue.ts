import { headerNames } from '@speech-api/types/constants';

/** A limit that was lowered is forgotten after so long without a refusal. Milliseconds. */
const memory = 60_000;

const rateHeaders = [headerNames.retryAfter, 'ratelimit', 'ratelimit-remaining', 'x-ratelimit-remaining'];

/**
 * Lets a number of calls run at a time, first come, first served. The number follows what the service says of its own
 * limit, and falls when the service refuses.
 */
export class Queue {
  readonly #maximum: number;
  readonly #adapts: boolean;
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #limit: number;
  #ceiling: number;
  #successes = 0;
  #refusedAt = 0;

  /**
   * @param maximum - Never more than this, whatever the service says; `Infinity` lets the service decide.
   * @param adapts - Whether the service's answers may lower the number.
   */
  constructor(maximum: number, adapts = true, now: () => number = Date.now) {
    this.#maximum = maximum;
    this.#limit = maximum;
    this.#ceiling = maximum;
    this.#adapts = adapts;
    this.#now = now;
  }

  /** The way out, at once if there is a place, otherwise when there is one; `signal` leaves the line. */
  enter(signal: AbortSignal): (() => void) | Promise<() => void> {
    // A newcomer goes behind those who wait, even if a place has just become free.
    this.#admitMore();
    if (this.#running < this.#limit && this.#waiting.length === 0) return this.#take();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal.reason);
      };
      const admit = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(this.#take());
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(admit);
    });
  }

  /** An answer came: its headers may name the limit, and 429 may say that it was one call too many. */
  learn(status: number, headers: Headers): void {
    if (!this.#adapts) return;
    const announced = Math.floor(Number(headers.get(headerNames.concurrencyLimit)));
    if (announced >= 1) {
      // A limit that was never lowered rises with the account at once.
      const lowered = this.#limit < this.#ceiling;
      this.#ceiling = Math.min(this.#maximum, announced);
      this.#limit = lowered ? Math.min(this.#limit, this.#ceiling) : this.#ceiling;
    }
    if (status === 429) {
      // A limit of rate says when to come back, and fewer calls at once would not help.
      if (!(announced >= 1) && rateHeaders.some((name) => headers.has(name))) return;
      // One below what ran just now: several refusals at once end where the service's limit is, and not at 1.
      this.#limit = Math.max(1, Math.min(this.#limit, this.#running - 1));
      this.#successes = 0;
      this.#refusedAt = this.#now();
    } else if (this.#limit < this.#ceiling) {
      // Others may share the account, so what was lost comes back slowly: one place a round of successes.
      this.#successes += 1;
      if (this.#successes >= this.#limit) {
        this.#limit += 1;
        this.#successes = 0;
      }
    }
    this.#admitMore();
  }

  #admitMore(): void {
    if (this.#limit < this.#ceiling && this.#now() - this.#refusedAt > memory) this.#limit = this.#ceiling;
    while (this.#running < this.#limit) {
      const admit = this.#waiting.shift();
      if (!admit) return;
      admit();
    }
  }

  #take(): () => void {
    this.#running += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#running -= 1;
      this.#admitMore();
    };
  }
}

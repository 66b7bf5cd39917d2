/** Limits how many calls run at once, first come, first served. */
export class Queue {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(maximum: number) {
    this.#free = maximum;
  }

  /** Resolves to a function that frees the place, as soon as there is one; `signal` leaves the queue. */
  enter(signal: AbortSignal): (() => void) | Promise<() => void> {
    if (this.#free > 0) return this.#take();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal.reason);
      };
      const admit = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(this.#take());
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(admit);
    });
  }

  #take(): () => void {
    this.#free -= 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#free += 1;
      this.#waiting.shift()?.();
    };
  }
}

/** What both halves of an utterance know of it: whether it has ended, and when something has changed. */
export class Progress {
  readonly #waiters = new Set<() => void>();
  hasEnded = false;
  /** The error that ended it. */
  error: unknown;

  tell(): void {
    for (const settle of [...this.#waiters]) settle();
  }

  /** Settles at the next change, or after a time. */
  untilNews(milliseconds?: number): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(settle);
        resolve();
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(settle, milliseconds);
      this.#waiters.add(settle);
    });
  }
}

/** Wakes the one who waits for something to happen. A ring that nobody waits for is not kept. */
export class Bell {
  #wake = () => {};

  ring(): void {
    this.#wake();
  }

  /** Settles at the next ring. @throws the reason of the signal when it is aborted first */
  async rung(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#wake = resolve;
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

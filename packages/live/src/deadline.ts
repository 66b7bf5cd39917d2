/** A timer that can pause and resume, and is cheap to restart for every frame. */
export class Deadline {
  readonly #milliseconds: number;
  readonly #onPassed: () => void;
  #left: number;
  #since = 0;
  #running = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number, onPassed: () => void) {
    this.#milliseconds = milliseconds;
    this.#onPassed = onPassed;
    this.#left = milliseconds;
  }

  run(running: boolean): void {
    if (!running) this.stop();
    else if (!this.#running && this.#left < 2 ** 31) {
      this.#running = true;
      this.#since = performance.now();
      this.#timer = setTimeout(this.#look, this.#left);
    }
  }

  stop(): void {
    if (!this.#running) return;
    this.#running = false;
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }

  /** Restarts the deadline. The timer stays and checks the time when it fires. */
  restart(): void {
    this.#left = this.#milliseconds;
    if (this.#running) this.#since = performance.now();
  }

  readonly #look = (): void => {
    const rest = this.#left - (performance.now() - this.#since);
    // A timer may fire a fraction of a millisecond early.
    if (rest > 1) this.#timer = setTimeout(this.#look, rest);
    else {
      this.#running = false;
      this.#onPassed();
    }
  };
}

import { startDeadline } from '@speech-api/client/shared';

/** A deadline that can pause and resume, and is cheap to restart for every frame. */
export class Deadline {
  readonly #milliseconds: number;
  readonly #onPassed: () => void;
  #remaining: number;
  #since = 0;
  #cancel: (() => void) | undefined;

  constructor(milliseconds: number, onPassed: () => void) {
    this.#milliseconds = milliseconds;
    this.#onPassed = onPassed;
    this.#remaining = milliseconds;
  }

  run(isRunning: boolean): void {
    if (!isRunning) this.stop();
    else if (!this.#cancel) {
      this.#since = performance.now();
      this.#cancel = startDeadline(this.#remaining, this.#look);
    }
  }

  stop(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = undefined;
    this.#remaining = Math.max(0, this.#remaining - (performance.now() - this.#since));
  }

  /** Restarts the deadline. The timer stays and checks the time when it fires. */
  restart(): void {
    this.#remaining = this.#milliseconds;
    if (this.#cancel) this.#since = performance.now();
  }

  readonly #look = (): void => {
    const rest = this.#remaining - (performance.now() - this.#since);
    // A timer may fire a fraction of a millisecond early.
    this.#cancel = rest > 1 ? startDeadline(rest, this.#look) : undefined;
    if (!this.#cancel) this.#onPassed();
  };
}

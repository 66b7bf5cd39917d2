import { AbortError } from '../errors/abort-error.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { SpeechError } from '../errors/speech-error.ts';
import { TimeoutError } from '../errors/timeout-error.ts';
import type { Timeouts } from '../options.ts';

// A longer delay overflows the timers of every runtime, which then fire at once.
const longestTimer = 2 ** 31 - 1;

/** What a call is made with. */
export interface CallContext {
  readonly operationId: string;
  readonly timeouts: Required<Timeouts>;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | null | undefined;
  readonly traceId?: string | undefined;
}

/**
 * The life of one call, from its place in the queue to the last byte of its body: one abort signal, the
 * deadlines, and what is to be released at the end.
 */
export class Call {
  readonly operationId: string;
  readonly started: number = Date.now();
  readonly timeouts: Required<Timeouts>;
  traceId: string | undefined;

  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | null | undefined;
  #failure: SpeechError | undefined;
  #rejectPending: ((failure: SpeechError) => void) | undefined;
  #totalTimer: ReturnType<typeof setTimeout> | undefined;
  #releases: (() => void)[] = [];
  #finished = false;

  constructor(context: CallContext) {
    this.operationId = context.operationId;
    this.timeouts = context.timeouts;
    this.traceId = context.traceId;
    this.#callerSignal = context.signal;
    if (context.signal?.aborted) this.#onCallerAbort();
    else context.signal?.addEventListener('abort', this.#onCallerAbort);
    this.#totalTimer = this.#startTimer('total');
  }

  /** Ends the request; `fetch` gets it. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for `start`, at most as long as `phase` may last. Rejects as soon as the call fails, also when what
   * was started ignores the signal.
   */
  wait<Value>(start: () => Promise<Value>, phase?: keyof Timeouts): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      // One slot, not a race: racing a promise that outlives the wait would keep every chunk's reaction alive.
      this.#rejectPending = reject;
      const timer = phase && this.#startTimer(phase);
      start().then(
        (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(this.#failure ?? toSpeechError(error));
        },
      );
    });
  }

  /** Ends the call with `failure` and closes its connection. The first failure stays. */
  fail(failure: SpeechError): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.#rejectPending?.(failure);
    this.#controller.abort(failure);
    this.finish();
  }

  /** Closes the connection of an answer that nobody wants to the end. */
  abandon(): void {
    this.#controller.abort();
    this.finish();
  }

  /** `release` runs once, when the call ends, however it does. */
  onFinish(release: () => void): void {
    if (this.#finished) release();
    else this.#releases.push(release);
  }

  /** The call is over: timers stopped, its place given to the next. Harmless when called again. */
  finish(): void {
    this.#finished = true;
    clearTimeout(this.#totalTimer);
    this.#callerSignal?.removeEventListener('abort', this.#onCallerAbort);
    const releases = this.#releases;
    this.#releases = [];
    for (const release of releases) release();
  }

  readonly #onCallerAbort = (): void => this.fail(new AbortError(this.#callerSignal?.reason));

  #startTimer(phase: keyof Timeouts): ReturnType<typeof setTimeout> | undefined {
    const milliseconds = this.timeouts[phase];
    if (milliseconds > longestTimer) return undefined;
    return setTimeout(() => this.fail(new TimeoutError(phase, milliseconds)), milliseconds);
  }
}

function toSpeechError(error: unknown): SpeechError {
  if (SpeechError.isInstance(error)) return error;
  // `fetch failed` alone tells nothing; what failed stands in the cause, under whichever code the runtime uses.
  const cause = (error as { cause?: { code?: unknown; message?: unknown } } | undefined)?.cause;
  const reason = cause?.code ?? cause?.message ?? (error as Error | undefined)?.message ?? 'unknown reason';
  return new ConnectionError(`the connection failed: ${String(reason)}`, { cause: error });
}

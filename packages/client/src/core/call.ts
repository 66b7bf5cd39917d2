import { headerNames } from '@speech-api/types/constants';
import {
  AbortError,
  ConfigurationError,
  ConnectionError,
  ProtocolError,
  SpeechError,
  TimeoutError,
  toSpeechError,
} from '../errors.ts';
import type { Complete, FetchInit, LogFields, Logger, RetryOptions, Timeouts } from '../options.ts';
import { loggedHeaders } from '../options.ts';
import type { ClientSettings } from '../settings.ts';
import type { CallSpan } from '../trace.ts';
import type { BodyReader, Watch } from './body.ts';
import type { Queue } from './queue.ts';
import { followSignal, sleep, startDeadline } from './timer.ts';

// The life of a call: its deadlines, its place among the calls that run, its trace and its end.

/** The client that makes a call. */
export interface Caller {
  readonly settings: ClientSettings;
  readonly places: Queue;
}

/** What is known of a call before it begins. */
export interface CallOutline {
  /** The operation of the specification, or the method of a direct call. */
  readonly operationId: string;
  readonly timeouts: Complete<Timeouts>;
  readonly retry: Complete<RetryOptions>;
  readonly signal?: AbortSignal | undefined;
  readonly span?: CallSpan | undefined;
}

/** One call. It ends when its body is read, left or cancelled, and when anything fails. */
export class Call implements Watch {
  readonly settings: ClientSettings;
  readonly operationId: string;
  readonly timeouts: Complete<Timeouts>;
  readonly retry: Complete<RetryOptions>;
  traceId: string | undefined;
  /** The error that ended the call early. */
  failure: SpeechError | undefined;
  /** Status of the latest answer. */
  status: number | undefined;
  /** The body of a success, as soon as there is one. */
  reader: BodyReader | undefined;

  readonly #places: Queue;
  readonly #span: CallSpan | undefined;
  readonly #controller = new AbortController();
  readonly #started = Date.now();
  readonly #unfollow: (() => void) | undefined;
  /** The number of the try, from 1; 0 before the first. */
  #attempt = 0;
  #firstAudioMilliseconds: number | undefined;
  #reject: ((failure: SpeechError) => void) | undefined;
  #stopTotal: (() => void) | undefined;
  #leavePlace: (() => void) | undefined;
  #isFinished = false;

  constructor({ settings, places }: Caller, { operationId, timeouts, retry, signal, span }: CallOutline) {
    this.settings = settings;
    this.#places = places;
    this.operationId = operationId;
    this.timeouts = timeouts;
    this.retry = retry;
    this.#span = span;
    this.traceId = span?.traceparent.split('-')[1];
    this.#unfollow = signal && followSignal(signal, () => this.fail(new AbortError(signal.reason)));
  }

  /** Settles with the result of `work`, or with the failure of the call even if `work` ignores the end of the call. */
  run<Value>(work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work().then(resolve, (error) => {
        if (SpeechError.isInstance(error)) return reject(this.end(error));
        // An error thrown by a middleware is passed on unchanged.
        this.abandon();
        reject(this.failure ?? error);
      });
    });
  }

  /** Begins a try as soon as there is a place among the calls that may run at once. */
  async enter(): Promise<void> {
    this.#attempt += 1;
    if (this.failure) throw this.failure;
    const place = this.#places.enter(this.#controller.signal);
    this.#leavePlace = place instanceof Promise ? await this.within('queue', place) : place;
    if (this.#isFinished) this.leavePlace();
    this.#stopTotal ??= this.startTimer('total');
  }

  /** Calls `fetch` in the span of the call. Notes the status, and the trace id that the service returns if it is valid. */
  async fetch(address: string, init: Omit<FetchInit, 'signal'>): Promise<Response> {
    if (this.failure) throw this.failure;
    const send = () => this.settings.fetch(address, { ...init, signal: this.#controller.signal });
    const answer = this.#span?.run ? this.#span.run(send) : send();
    const response = (await this.within('headers', answer)) as Response;
    const traceId = response.headers.get(headerNames.traceId) ?? '';
    if (/^(?!0{32})[0-9a-f]{32}$/.test(traceId)) this.traceId = traceId;
    this.status = response.status;
    return response;
  }

  /** Waits before the next try. Meanwhile, the next call may run. */
  async pause(milliseconds: number): Promise<void> {
    this.leavePlace();
    this.log('info', `waits ${Math.round(milliseconds)} ms to try again`);
    await sleep(milliseconds, this.#controller.signal);
  }

  /** Lets the next call run. */
  leavePlace(): void {
    this.#leavePlace?.();
  }

  /** Notes when the first audio came. */
  heardAudio(): void {
    this.#firstAudioMilliseconds ??= Date.now() - this.#started;
  }

  /** Fails the call with `makeError` when `phase` exceeds its deadline, of which some time may have passed. */
  startTimer(
    phase: keyof Timeouts,
    passed = 0,
    makeError?: (milliseconds: number) => SpeechError,
  ): () => void {
    const milliseconds = this.timeouts[phase];
    return startDeadline(this.#isFinished ? Number.POSITIVE_INFINITY : milliseconds - passed, () =>
      this.fail(makeError?.(milliseconds) ?? new TimeoutError(phase, milliseconds)),
    );
  }

  async within<Value>(
    phase: keyof Timeouts,
    pending: Promise<Value>,
    makeError?: (milliseconds: number) => SpeechError,
  ): Promise<Value> {
    const stop = this.startTimer(phase, 0, makeError);
    try {
      return await pending;
    } finally {
      stop();
    }
  }

  /** Ends the call with `failure` and closes its connection. The first failure stays. */
  fail(failure: SpeechError): void {
    if (this.failure || this.#isFinished) return;
    this.failure = failure;
    this.#controller.abort(failure);
    this.reader?.leaveSource();
    this.#reject?.(failure);
    this.finish();
  }

  /** Ends the call because of any error, and returns it as an error of this package. */
  end(error: unknown): SpeechError {
    const failure = this.failureOf(error);
    this.fail(failure);
    return failure;
  }

  /** The failure of the call if it has one, or an error of this package as it is, or another one as a connection that failed. */
  failureOf(error: unknown): SpeechError {
    const { baseUrl, redact } = this.settings;
    return (
      this.failure ??
      toSpeechError(error, redact, (reason, cause) => {
        const refusal = refusalOf(reason);
        if (refusal) return new ConfigurationError(`${this.operationId}: ${refusal}`, { cause });
        const words = `${this.operationId}: the connection to ${new URL(baseUrl).host} failed: ${reason}`;
        return new ConnectionError(words, { cause });
      })
    );
  }

  /** Ends the call and closes the connection of an answer that is not read to its end. */
  abandon(): void {
    if (this.#isFinished) return;
    this.#controller.abort();
    this.finish();
  }

  /** Ends the call: stops its timers and gives its place to the next. Harmless when called again. */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#stopTotal?.();
    this.#unfollow?.();
    this.leavePlace();
    const { status, failure } = this;
    const ofStatus = status === undefined ? {} : { status };
    // A call that was never sent writes nothing to the log.
    if (this.#attempt > 0) {
      const outcome = { ...ofStatus, ...(failure && { error: failure.name }) };
      const isRefused = status !== undefined && (status < 200 || status > 299);
      if (failure || isRefused) this.log('warn', 'failure', outcome);
      this.log('debug', 'end', outcome);
    }
    const firstAudioMilliseconds = this.#firstAudioMilliseconds;
    tell(() =>
      this.#span?.end?.({ ...ofStatus, ...(failure && { error: failure }), firstAudioMilliseconds }),
    );
  }

  /** An error for an answer that is not what the specification promises. It ends the call. */
  protocolError(message: string, details: { cause?: unknown; body?: unknown } = {}): SpeechError {
    const { status, traceId } = this;
    const words = this.settings.redact(`${this.operationId}: ${message}`);
    return this.end(new ProtocolError(words, { status, traceId, ...details }));
  }

  log(level: keyof Logger, message: string, fields?: Partial<LogFields>, headers?: Headers): void {
    const { logger, redact } = this.settings;
    if (!logger) return;
    tell(() =>
      logger[level]?.(`speech-api ${message}`, {
        operationId: this.operationId,
        attempt: this.#attempt,
        milliseconds: Date.now() - this.#started,
        traceId: this.traceId,
        ...fields,
        ...(headers && { headers: loggedHeaders(headers, redact) }),
      }),
    );
  }
}

/** Why `fetch` does not send the request, and what works; undefined if the connection failed. */
function refusalOf(reason: string): string | undefined {
  if (reason === 'UND_ERR_INVALID_ARG')
    return 'the dispatcher and fetch are of two versions of undici; pass both from one package';
  if (reason.includes('of AbortSignal'))
    return 'fetch does not take the AbortSignal here; run the tests in the environment node';
  return undefined;
}

/** Informs a logger or a tracer. If it throws, the caller must not lose a paid answer. */
function tell(write: () => void): void {
  try {
    write();
  } catch {
    // Nobody is left to be informed.
  }
}

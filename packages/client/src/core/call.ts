import { headerNames } from '@speech-api/types/constants';
import { retryAfterSeconds } from '../api-error.ts';
import {
  AbortError,
  ConfigurationError,
  ConnectionError,
  ProtocolError,
  SpeechError,
  TimeoutError,
  toSpeechError,
  withoutKey,
} from '../errors.ts';
import type { Complete, LogFields, Logger, RetryOptions, Timeouts } from '../options.ts';
import { loggedHeaders } from '../options.ts';
import type { ClientSettings } from '../settings.ts';
import type { CallSpan } from '../trace.ts';
import { joinBytes, openBody, readThrough } from './body.ts';
import type { Queue } from './queue.ts';
import { isRetryableStatus, redirectTarget, retryDelay, sleep } from './retry.ts';

// A longer delay overflows the timers of every runtime, which then fire at once.
const longestTimer = 2 ** 31 - 1;

const followers = new WeakMap<AbortSignal, Set<() => void>>();

/** One listener for all the calls of a signal: Node 20 warns of a leak when there are eleven. */
function follow(signal: AbortSignal, onAbort: () => void): () => void {
  const found = followers.get(signal) ?? new Set();
  if (!followers.has(signal)) {
    followers.set(signal, found);
    const notifyAll = (): void => {
      for (const notify of [...found]) notify();
    };
    signal.addEventListener('abort', notifyAll, { once: true });
  }
  found.add(onAbort);
  return () => found.delete(onAbort);
}

/** What all calls of a client share. */
export interface Transport {
  readonly settings: ClientSettings;
  readonly queue: Queue;
  /** Ends the calls whose answers are no longer reachable. */
  readonly forgotten: FinalizationRegistry<Call>;
}

/** What a call is made with. */
export interface CallContext {
  readonly operationId: string;
  readonly timeouts: Complete<Timeouts>;
  readonly retry: Complete<RetryOptions>;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | null | undefined;
  readonly span?: CallSpan | undefined;
}

/**
 * The life of one call, from its place in the queue to the last byte of its body: deadlines, place, trace, retries
 * and cancellation. It ends when its body is read, left or cancelled, when anything fails, and when nobody can reach
 * its answer any more; nobody has to end it.
 */
export class Call {
  readonly operationId: string;
  readonly timeouts: Complete<Timeouts>;
  readonly transport: Transport;
  traceId: string | undefined;
  /** What ended the call before its time. */
  failure: SpeechError | undefined;
  /** Ends what is pending as soon as the call fails. It holds the answer, so it goes when nothing is pending. */
  interrupt: ((failure: SpeechError) => void) | undefined;

  readonly #context: CallContext;
  readonly #controller = new AbortController();
  /** Ends the request; `fetch` gets it. */
  readonly signal: AbortSignal = this.#controller.signal;
  readonly #started = Date.now();
  // Kept: a request that is collected no longer passes on the abort of its signal.
  #request: Request | undefined;
  #attempt = 0;
  #status: number | undefined;
  #totalTimer: ReturnType<typeof setTimeout> | undefined;
  #leave: (() => void) | undefined;
  #unfollow: (() => void) | undefined;
  #finished = false;
  #asksForKey = false;

  constructor(transport: Transport, context: CallContext) {
    this.transport = transport;
    this.operationId = context.operationId;
    this.timeouts = context.timeouts;
    this.traceId = context.span?.traceparent.split('-')[1];
    this.#context = context;
    if (context.signal?.aborted) this.#onCallerAbort();
    else if (context.signal) this.#unfollow = follow(context.signal, this.#onCallerAbort);
  }

  /**
   * Sends the request, and again only where that is allowed, and resolves to the service's own answer. Its body is
   * unread and read through this call.
   */
  async send(request: Request): Promise<Response> {
    const { retry } = this.#context;
    this.#request = request;
    const mayRepeat = retry.retries > 0 && retry.methods.includes(request.method) && request.body !== null;
    const { queue } = this.transport;
    const ownKey = !request.headers.has(headerNames.authorization);
    for (;;) {
      this.#attempt += 1;
      let delay: number | undefined;
      if (this.failure) throw this.failure;
      this.#leave = queue.enterNow();
      if (!this.#leave) {
        await this.wait(async () => {
          this.#leave = await queue.enter(this.signal);
          if (this.#finished) this.#leave();
        }, 'queue');
      }
      this.#totalTimer ??= this.startTimer('total', this.timeouts.total);
      try {
        this.#log('debug', 'request', undefined, this.#request.headers);
        const response = await this.#follow(mayRepeat ? request.clone() : request, ownKey);
        const { status, headers } = response;
        this.#status = status;
        this.#log('debug', 'response', { status }, headers);
        queue.learn(status, headers);
        const body = openBody(this, response);
        const answer = readThrough(response);
        if (response.ok) return answer;
        if (isRetryableStatus(status)) {
          delay = retryDelay(retry, request.method, this.#attempt - 1, retryAfterSeconds(headers));
        }
        // An error that broke off says less than it seems to: a call that may be billed is not sent again for it.
        if (delay !== undefined && request.method !== 'GET' && !(await body.arrives())) delay = undefined;
        if (delay === undefined) return answer;
        body.drop();
      } catch (error) {
        if (ConnectionError.isInstance(error) && !this.failure) {
          delay = retryDelay(retry, request.method, this.#attempt - 1, undefined);
        }
        if (delay === undefined) throw this.end(error);
        this.#log('warn', 'failure', { error: 'ConnectionError' });
      }
      // While waiting to try again it is the next one's turn.
      this.#leave?.();
      this.#log('info', `waits ${Math.round(delay)} ms to try again`);
      await this.wait(() => sleep(delay ?? 0, this.signal));
    }
  }

  /**
   * Waits for `start`, at most as long as `phase` may take. Rejects as soon as the call fails, also when what was
   * started ignores the signal.
   */
  wait<Value>(start: () => Promise<Value>, phase?: keyof Timeouts): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.interrupt = reject;
      const timer = phase && this.startTimer(phase, this.timeouts[phase]);
      const settle = (): void => {
        clearTimeout(timer);
        // Kept, it would hold the answer, which then could never be collected.
        this.interrupt = undefined;
      };
      start().then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(this.failure ?? this.#speechError(error));
        },
      );
    });
  }

  /** Ends the call with `failure` and closes its connection. The first failure stays. */
  fail(failure: SpeechError): void {
    if (this.failure || this.#finished) return;
    this.failure = failure;
    this.#controller.abort(failure);
    this.interrupt?.(failure);
    this.finish(failure);
  }

  /** Closes the connection of an answer that is not read to its end. */
  abandon(failure?: SpeechError): void {
    if (this.#finished) return;
    this.#controller.abort();
    this.finish(failure);
  }

  /** Ends the call for an error that was met outside of it, and gives it back as one of the family. */
  end(error: unknown): SpeechError {
    const failure = this.#speechError(error);
    this.abandon(failure);
    return failure;
  }

  /** The call is over: timers stopped, its place given to the next. Harmless when called again. */
  finish(failure?: SpeechError): void {
    if (this.#finished) return;
    this.#finished = true;
    clearTimeout(this.#totalTimer);
    this.#unfollow?.();
    this.transport.forgotten.unregister(this);
    this.#leave?.();
    const { span } = this.#context;
    if (!this.transport.settings.logger && !span?.end) return;
    const status = this.#status === undefined ? {} : { status: this.#status };
    const outcome = { ...status, ...(failure && { error: failure.name }) };
    const refused = this.#status !== undefined && (this.#status < 200 || this.#status > 299);
    if (failure || refused) this.#log('warn', 'failure', outcome);
    this.#log('debug', 'end', outcome);
    span?.end?.({ ...status, ...(failure && { error: failure }) });
  }

  /** An error for an answer that is not what the specification promises. It ends the call. */
  protocolError(message: string, response?: Response, cause?: unknown): ProtocolError {
    const { redact } = this.transport.settings;
    const status = response?.status ?? this.#status;
    const context = { status, traceId: this.traceId, cause: withoutKey(cause, redact) };
    const error = new ProtocolError(redact(`${this.operationId}: ${message}`), context);
    this.end(error);
    return error;
  }

  /** All pieces in one array; more than `maximumBytes` is an error. */
  async collect(pieces: AsyncIterable<Uint8Array>, maximumBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const found: Uint8Array[] = [];
    let length = 0;
    for await (const piece of pieces) {
      found.push(piece);
      length += piece.length;
      if (length > maximumBytes) throw this.protocolError(`the answer is larger than ${maximumBytes} bytes`);
    }
    return joinBytes(found, length);
  }

  /** The error for what was thrown while a success was read: what ended the call, or else the service's doing. */
  readError(error: unknown, response: Response): SpeechError {
    const { cause, message } = error as Error;
    return [error, cause].find(SpeechError.isInstance) ?? this.protocolError(message, response, error);
  }

  /** The answer to a request, redirects within the same origin followed. */
  async #follow(request: Request, ownKey: boolean): Promise<Response> {
    let target = request;
    for (let hops = 0; ; hops += 1) {
      const response = await this.wait(() => this.#fetch(target, ownKey), 'headers');
      if (typeof response?.status !== 'number' || typeof response.headers?.get !== 'function') {
        throw this.protocolError('fetch resolved to something that is not a Response');
      }
      if (response.type === 'error') throw this.#speechError(new Error('fetch gave a network error'));
      // The trace id that the service names, when it is one.
      const named = response.headers.get(headerNames.traceId) ?? '';
      if (/^(?!0{32})[0-9a-f]{32}$/.test(named)) this.traceId = named;
      const next = redirectTarget(response, target, hops);
      if (next === undefined) return response;
      if (typeof next !== 'string') throw this.protocolError(next.message, response);
      // Rejects if the body has failed already, which does not matter here.
      response.body?.cancel().catch(() => undefined);
      target = new Request(next, target);
    }
  }

  async #fetch(request: Request, ownKey: boolean): Promise<Response> {
    const { settings } = this.transport;
    if (ownKey) {
      this.#asksForKey = true;
      const value = await settings.authorization();
      this.#asksForKey = false;
      if (value !== undefined) request.headers.set(headerNames.authorization, value);
    }
    // The signal again: that of a request is lost when the request is collected, or made anew by a middleware.
    return settings.fetch(request, { signal: this.signal, redirect: 'manual' });
  }

  readonly #onCallerAbort = (): void => this.fail(new AbortError(this.#context.signal?.reason));

  /** Fails the call after so long. */
  startTimer(phase: keyof Timeouts, milliseconds: number): ReturnType<typeof setTimeout> | undefined {
    if (milliseconds > longestTimer) return undefined;
    return setTimeout(this.#onTimeout, milliseconds, phase);
  }

  readonly #onTimeout = (phase: keyof Timeouts): void =>
    this.fail(
      this.#asksForKey
        ? new ConfigurationError(`apiKey() gave no key within ${this.timeouts[phase]} ms`)
        : new TimeoutError(phase, this.timeouts[phase]),
    );

  #speechError(error: unknown): SpeechError {
    const { operationId, transport } = this;
    const { baseUrl, redact } = transport.settings;
    return toSpeechError(error, { operationId, host: new URL(baseUrl).host, redact });
  }

  #log(level: keyof Logger, message: string, fields?: Partial<LogFields>, headers?: Headers): void {
    const { logger, redact } = this.transport.settings;
    if (!logger?.[level]) return;
    try {
      logger[level](`speech-api ${message}`, {
        operationId: this.operationId,
        attempt: this.#attempt,
        milliseconds: Date.now() - this.#started,
        traceId: this.traceId,
        ...fields,
        ...(headers && { headers: loggedHeaders(headers, redact) }),
      });
    } catch {
      // A logger that fails does not fail the call.
    }
  }
}

import type { paths } from '@speech-api/types';
import { headerNames } from '@speech-api/types/constants';
import type { Client } from 'openapi-fetch';
import type { BodyType } from '../encode.ts';
import {
  AbortError,
  ConfigurationError,
  ConnectionError,
  ProtocolError,
  RequestError,
  SpeechError,
  TimeoutError,
  toSpeechError,
} from '../errors.ts';
import { loadLater } from '../on-demand.ts';
import type { CallOptions, Complete, LogFields, Logger, RetryOptions, Timeouts } from '../options.ts';
import { loggedHeaders } from '../options.ts';
import { type ClientSettings, cleanCallOptions, waitsOf } from '../settings.ts';
import type { CallSpan } from '../trace.ts';
import { cancelBody, guarded, type Inspector } from './body.ts';
import type { Queue } from './queue.ts';
import { isRetryableStatus, retryAfterSeconds, retryDelay } from './retry.ts';
import { after, sleep } from './timer.ts';

/** The typed openapi-fetch client: every path of the specification, with the client's key, deadlines and queue. */
export type SpeechHttp = Client<paths>;

/** A promise of the result of a call; {@link CallPromise.withResponse} also gives the `Response`. */
export interface CallPromise<Value> extends Promise<Value> {
  /** The result of the call with the service's `Response`, for its status and headers. */
  withResponse(): Promise<Answer<Value>>;
}

/** The result of a call. */
export interface Answer<Value> {
  readonly data: Value;
  readonly response: Response;
}

/** The request of a call. */
export interface Sent {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: keyof paths;
  /** The media type that is asked for. @defaultValue JSON */
  readonly accept?: string;
  /** True if the operation accepts `traceparent`. */
  readonly traced?: boolean;
  readonly pathParts?: Readonly<Record<string, unknown>>;
  readonly query?: object;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Encoding of the body. @defaultValue MessagePack if it holds binary, else JSON */
  readonly contentType?: BodyType | undefined;
}

/** Shared by the resources and the calls of a client. */
export interface Core {
  readonly settings: ClientSettings;
  readonly queue: Queue;
  /** Ends the calls whose answers are no longer reachable. */
  readonly forgotten: FinalizationRegistry<Call>;
  readonly http: SpeechHttp;
}

const followers = new WeakMap<AbortSignal, Set<() => void>>();

/** One listener for all the calls of a signal: Node 20 warns of a leak when there are eleven. */
function follow(signal: AbortSignal, onAbort: () => void): () => void {
  const found = followers.get(signal) ?? new Set();
  if (!followers.has(signal)) {
    followers.set(signal, found);
    signal.addEventListener('abort', () => [...found].forEach((notify) => void notify()), { once: true });
  }
  found.add(onAbort);
  return () => found.delete(onAbort);
}

/**
 * The life of one call, from the first look at its options to the last byte of its body: deadlines, place, trace,
 * retries and cancellation. It ends when its body is read, left or cancelled, when anything fails, and when nobody can
 * reach its answer any more; nobody has to end it.
 */
export class Call {
  readonly operationId: string;
  readonly core: Core;
  readonly options: CallOptions = {};
  readonly timeouts: Complete<Timeouts>;
  traceId: string | undefined;
  /** The error that ended the call early. */
  failure: SpeechError | undefined;
  /** Status of the latest answer. */
  status: number | undefined;
  /** Ends the reading of the body as soon as the call fails. */
  interrupt: ((failure: SpeechError) => void) | undefined;
  inspector: Inspector | undefined;

  readonly #retry: Complete<RetryOptions>;
  readonly #controller = new AbortController();
  /** Ends the request; `fetch` gets it. */
  readonly signal: AbortSignal = this.#controller.signal;
  readonly #started = Date.now();
  // Kept: a request that is collected no longer passes on the abort of its signal.
  #request: Request | undefined;
  #stage: 'preparing' | 'sending' = 'preparing';
  #attempt = 0;
  #span: CallSpan | undefined;
  #reject: ((failure: SpeechError) => void) | undefined;
  #stopPreparing: (() => void) | undefined;
  #stopTotal: (() => void) | undefined;
  #leave: (() => void) | undefined;
  #unfollow: (() => void) | undefined;
  #finished = false;
  #asksForKey = false;

  /** @param endless - True if its answer may take as long as it likes as a whole. */
  constructor(core: Core, operationId: string, given: unknown, endless?: boolean) {
    this.core = core;
    this.operationId = operationId;
    try {
      this.options = cleanCallOptions(given);
    } catch (error) {
      this.fail(this.#translated(error));
    }
    const { signal } = this.options;
    const { timeouts, retry } = waitsOf(core.settings, this.options, endless);
    this.timeouts = timeouts;
    this.#retry = retry;
    const onAbort = (): void => this.fail(new AbortError(signal?.reason));
    if (signal?.aborted) onAbort();
    else if (signal) this.#unfollow = follow(signal, onAbort);
  }

  /** Settles with the result of `work`, or with the failure of the call even if `work` ignores its signal. */
  answer<Value>(work: Promise<Answer<Value>>): CallPromise<Value> {
    const answer = this.race(work);
    const value = answer.then(({ data }) => data);
    const withResponse = () => {
      // For callers who ask for both, a failure comes through the answer alone.
      value.catch(() => undefined);
      return answer;
    };
    return Object.assign(value, { withResponse });
  }

  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#stage === 'preparing') this.#stopPreparing = this.startTimer('headers');
      work.then(
        (value) => {
          this.#reject = undefined;
          resolve(value);
        },
        (error) => {
          const isForeign = this.#stage === 'sending' && !SpeechError.isInstance(error);
          // An error thrown by a middleware is passed on unchanged.
          if (!isForeign) return reject(this.failure ?? this.end(error));
          this.abandon();
          reject(this.failure ?? error);
        },
      );
      if (this.failure) reject(this.failure);
    });
  }

  /** Everything is prepared: from here on what fails is the connection. */
  begin(start?: () => CallSpan | undefined): CallSpan | undefined {
    this.#stopPreparing?.();
    this.#stage = 'sending';
    if (this.failure) throw this.failure;
    this.#span = start?.();
    this.traceId = this.#span?.traceparent.split('-')[1];
    return this.#span;
  }

  /**
   * Sends the request, and again only where that is allowed. Resolves to a success whose body is read through this call,
   * or to the service's own answer with an error that is complete.
   */
  async exchange(request: Request): Promise<Response> {
    const { queue } = this.core;
    const { retries, methods } = this.#retry;
    this.#request = request;
    const mayRepeat = retries > 0 && methods.includes(request.method) && request.body !== null;
    const ownKey = !request.headers.has(headerNames.authorization);
    for (;;) {
      this.#attempt += 1;
      let delay: number | undefined;
      if (this.failure) throw this.failure;
      const entered = queue.enter(this.signal);
      this.#leave = entered instanceof Promise ? await this.#within('queue', entered) : entered;
      if (this.#finished) this.#leave();
      this.#stopTotal ??= this.startTimer('total');
      try {
        this.#log('debug', 'request', undefined, this.#request.headers);
        const response = await this.#follow(mayRepeat ? request.clone() : request, ownKey);
        const { status, headers } = response;
        this.#log('debug', 'response', { status }, headers);
        queue.learn(status, headers);
        if (response.ok) return guarded(this, response);
        if (isRetryableStatus(status)) delay = this.#delay(request, retryAfterSeconds(headers));
        // An error that broke off says less than it seems to: a call that may be billed is not sent again for it.
        const repeats = delay !== undefined && request.method === 'GET';
        const cut = repeats ? undefined : await (await loadLater()).cutError(this, response);
        if (cut) throw this.end(cut);
        if (delay === undefined) {
          this.finish();
          return response;
        }
        cancelBody(response);
      } catch (error) {
        const isRepeatable = ConnectionError.isInstance(error) && !this.failure;
        delay = isRepeatable ? this.#delay(request, undefined) : undefined;
        if (delay === undefined) throw this.end(error);
        this.#log('warn', 'failure', { error: 'ConnectionError' });
      }
      // While waiting to try again it is the next one's turn.
      this.#leave?.();
      this.#log('info', `waits ${Math.round(delay)} ms to try again`);
      await sleep(delay, this.signal);
    }
  }

  /** Ends the call with `failure` and closes its connection. The first failure stays. */
  fail(failure: SpeechError): void {
    if (this.failure || this.#finished) return;
    this.failure = failure;
    this.#controller.abort(failure);
    this.interrupt?.(failure);
    this.#reject?.(failure);
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
    this.failure ??= this.#translated(error);
    this.abandon(this.failure);
    return this.failure;
  }

  /** The call is over: timers stopped, its place given to the next. Harmless when called again. */
  finish(failure?: SpeechError): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#stopPreparing?.();
    this.#stopTotal?.();
    this.#unfollow?.();
    this.core.forgotten.unregister(this);
    this.#leave?.();
    const status = this.status === undefined ? {} : { status: this.status };
    const outcome = { ...status, ...(failure && { error: failure.name }) };
    const refused = this.status !== undefined && (this.status < 200 || this.status > 299);
    // Of a call that never left there is nothing to write.
    if (this.#attempt > 0) {
      if (failure || refused) this.#log('warn', 'failure', outcome);
      this.#log('debug', 'end', outcome);
    }
    this.#span?.end?.({ ...status, ...(failure && { error: failure }) });
  }

  /** An error for an answer that is not what the specification promises. It ends the call. */
  protocolError(message: string, details: { cause?: unknown; body?: unknown } = {}): SpeechError {
    const { status, traceId } = this;
    const words = this.core.settings.redact(`${this.operationId}: ${message}`);
    return this.end(new ProtocolError(words, { status, traceId, ...details }));
  }

  /** The error for what was thrown while a success was read: what ended the call, or else the service's doing. */
  readError(error: unknown): SpeechError {
    const { redact } = this.core.settings;
    const { body } = Object(error) as { readonly body?: unknown };
    const details = typeof body === 'string' ? { body: redact(body) } : {};
    const made = (message: string, cause: unknown) => this.protocolError(message, { cause, ...details });
    return this.end(toSpeechError(error, redact, made));
  }

  /** Fails the call when `phase` takes longer than it may, of which some time may have passed. */
  startTimer(phase: keyof Timeouts, passed = 0): () => void {
    const milliseconds = this.timeouts[phase];
    return after(this.#finished ? Number.POSITIVE_INFINITY : milliseconds - passed, () =>
      this.fail(
        this.#asksForKey
          ? new ConfigurationError(`apiKey() gave no key within ${milliseconds} ms`)
          : new TimeoutError(phase, milliseconds),
      ),
    );
  }

  async #within<Value>(phase: keyof Timeouts, pending: Promise<Value>): Promise<Value> {
    const stop = this.startTimer(phase);
    try {
      return await pending;
    } finally {
      stop();
    }
  }

  #delay(request: Request, askedSeconds: number | undefined): number | undefined {
    if (!this.#retry.methods.includes(request.method)) return undefined;
    return retryDelay(this.#retry, this.#attempt - 1, askedSeconds);
  }

  /** The answer to a request, redirects within the same origin followed. */
  async #follow(request: Request, ownKey: boolean): Promise<Response> {
    let target = request;
    for (let hops = 0; ; hops += 1) {
      const response = await this.#within('headers', this.#fetch(target, ownKey));
      if (typeof response?.status !== 'number' || typeof response.headers?.get !== 'function') {
        throw this.protocolError('fetch resolved to something that is not a Response');
      }
      if (response.type === 'error') throw this.#translated(new Error('fetch gave a network error'));
      // The trace id that the service names, when it is one.
      const named = response.headers.get(headerNames.traceId) ?? '';
      if (/^(?!0{32})[0-9a-f]{32}$/.test(named)) this.traceId = named;
      const { type, redirected, status } = response;
      this.status = status;
      if (type !== 'opaqueredirect' && !redirected && (status < 300 || status > 399)) return response;
      const next = (await loadLater()).redirectTarget(response, target, hops);
      if (typeof next !== 'string') throw this.protocolError(next.message);
      cancelBody(response);
      target = new Request(next, target);
    }
  }

  async #fetch(request: Request, ownKey: boolean): Promise<Response> {
    const { settings } = this.core;
    try {
      if (ownKey) {
        this.#asksForKey = true;
        const value = await settings.authorization();
        this.#asksForKey = false;
        if (value !== undefined) request.headers.set(headerNames.authorization, value);
      }
      if (this.failure) throw this.failure;
      // The signal again: that of a request is lost when the request is collected, or made anew by a middleware.
      return await settings.fetch(request, { signal: this.signal, redirect: 'manual' });
    } catch (error) {
      throw this.failure ?? this.#translated(error);
    }
  }

  /** Any error as one of the family, by how far the call has come. */
  #translated(error: unknown): SpeechError {
    const { baseUrl, redact } = this.core.settings;
    return toSpeechError(error, redact, (reason, cause) => {
      if (this.#stage === 'preparing') {
        return new RequestError(`the request cannot be sent: ${reason}`, { field: 'body', cause });
      }
      const { host } = new URL(baseUrl);
      const words = /REFUSED|NOTFOUND|UNREACH|EAI_AGAIN|CONNECT_TIMEOUT/.test(reason)
        ? `could not connect to ${host} (${reason})`
        : `the connection to ${host} failed: ${reason}`;
      return new ConnectionError(`${this.operationId}: ${words}`, { cause });
    });
  }

  #log(level: keyof Logger, message: string, fields?: Partial<LogFields>, headers?: Headers): void {
    const { logger, redact } = this.core.settings;
    try {
      logger?.[level]?.(`speech-api ${message}`, {
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

import type { paths } from '@speech-api/types';
import { headerNames, mediaTypes } from '@speech-api/types/constants';
import { createApiError } from '../api-error.ts';
import {
  AbortError,
  ConnectionError,
  ProtocolError,
  RequestError,
  SpeechError,
  TimeoutError,
  toSpeechError,
} from '../errors.ts';
import type { CallOptions, Complete, LogFields, Logger, RetryOptions, Timeouts } from '../options.ts';
import { loggedHeaders } from '../options.ts';
import { type ClientSettings, cleanCallOptions, timeoutsOf } from '../settings.ts';
import { type CallSpan, startSpan, type TracedCall } from '../trace.ts';
import type { BodyReader, Watch } from './body.ts';
import type { EncodedBody } from './encode.ts';
import type { Queue } from './queue.ts';
import { after, followSignal } from './timer.ts';

// The life of a call: what it is made of, its deadlines, its place, its trace and its end. How it is sent is in `exchange.ts`.

/** A promise of the result of a call; {@link CallPromise.withResponse} also gives the `Response`. */
export interface CallPromise<Value> extends Promise<Value> {
  /** The result of the call with the service's `Response`, for its status and headers, or to be passed on. */
  withResponse(): Promise<Answer<Value>>;
}

/** The result of a call. Audio and events can be read once, from `data` or from `response`. */
export interface Answer<Value> {
  readonly data: Value;
  readonly response: Response;
  /** The trace id of the call, 32 hex digits, if it has one. */
  readonly traceId: string | undefined;
}

/** The request of a resource, and the function that reads the answer. */
export interface Operation<Value> {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: keyof paths;
  readonly pathParts?: Readonly<Record<string, unknown>>;
  readonly query?: object;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: EncodedBody;
  /** The requested media type. @defaultValue JSON */
  readonly accept?: string;
  /** Deadlines that differ from those of a JSON answer. */
  readonly timeouts?: Timeouts;
  /** What a span says about the request. Present if the operation accepts `traceparent`. */
  readonly traced?: () => Partial<TracedCall>;
  /** Loads what `read` needs, before anything is sent: a page may be open when a release replaces its files. */
  readonly load?: () => Promise<unknown>;
  readonly read: (call: Call, response: Response) => Value | Promise<Value>;
}

/** Shared by all calls of a client. */
export interface Core {
  readonly settings: ClientSettings;
  readonly places: Queue;
  /** Sends the request of a call past the middleware. The body of an error has been read, that of a success has not. */
  request(
    call: Call,
    operation: Operation<unknown>,
    headers: HeadersInit,
  ): Promise<{ readonly response: Response; readonly error?: unknown }>;
}

/** Makes one call. Invalid requests are refused and the body is encoded before anything is awaited. */
export function send<Value, Options extends CallOptions>(
  core: Core,
  operationId: string,
  options: Options,
  prepare: (options: Options) => Operation<Value>,
): CallPromise<Value> {
  const answer = perform(core, operationId, options, prepare);
  const value = answer.then(({ data }) => data);
  const withResponse = async () => {
    // If a caller uses both promises, a failure is reported through the answer only.
    value.catch(() => undefined);
    const { data, response, call } = await answer;
    return { data, response: call.reader?.response ?? response, traceId: call.traceId };
  };
  return Object.assign(value, { withResponse });
}

async function perform<Value, Options extends CallOptions>(
  core: Core,
  operationId: string,
  uncheckedOptions: Options,
  prepare: (options: Options) => Operation<Value>,
): Promise<{ readonly data: Value; readonly response: Response; readonly call: Call }> {
  const options = cleanCallOptions(uncheckedOptions) as Options;
  const operation = prepared(core, options, prepare);
  const { body, accept = mediaTypes.json, traced } = operation;
  const call = new Call(core, operationId, options, operation);
  return call.run(async () => {
    await operation.load?.();
    const { response, error } = await core.request(call, operation, {
      accept,
      ...(traced && call.span && { [headerNames.traceparent]: call.span.traceparent }),
      ...options.headers,
      ...(body && { 'content-type': body.contentType }),
    });
    if (!response.ok) throw call.end(createApiError(operationId, response, error, call.traceId));
    call.status = response.status;
    if (response.status === 206) throw call.protocolError('the service answered with a part of a body');
    return { data: await operation.read(call, response), response, call };
  });
}

/** The request of a call. What its values throw is an error of the request, too. */
function prepared<Value, Options>(
  { settings }: Core,
  options: Options,
  prepare: (options: Options) => Operation<Value>,
): Operation<Value> {
  try {
    return prepare(options);
  } catch (error) {
    throw toSpeechError(error, settings.redact, (reason, cause) => {
      return new RequestError(`the request cannot be sent: ${reason}`, { field: 'body', cause });
    });
  }
}

/** One call. It ends when its body is read, left or cancelled, and when anything fails. */
export class Call implements Watch {
  readonly core: Core;
  readonly operationId: string;
  readonly timeouts: Complete<Timeouts>;
  readonly retry: Complete<RetryOptions>;
  readonly span: CallSpan | undefined;
  traceId: string | undefined;
  /** The error that ended the call early. */
  failure: SpeechError | undefined;
  /** Status of the latest answer. */
  status: number | undefined;
  /** The body of a success, as soon as there is one. */
  reader: BodyReader | undefined;
  /** The number of the try, from 1; 0 before the first. */
  attempt = 0;

  readonly #controller = new AbortController();
  readonly #started = Date.now();
  readonly #unfollow: (() => void) | undefined;
  #firstAudioMilliseconds: number | undefined;
  #reject: ((failure: SpeechError) => void) | undefined;
  #stopTotal: (() => void) | undefined;
  #leavePlace: (() => void) | undefined;
  #isFinished = false;

  constructor(core: Core, operationId: string, options: CallOptions, operation: Partial<Operation<unknown>>) {
    const { settings } = core;
    this.core = core;
    this.operationId = operationId;
    this.timeouts = timeoutsOf(settings, operation.timeouts, options.timeouts);
    this.retry = { ...settings.retry, ...options.retry } as Complete<RetryOptions>;
    const { method = '', path = '', traced } = operation;
    this.span = startSpan(options.trace ?? settings.trace, traced !== undefined, () => ({
      ...{ operationId, method: method.toUpperCase(), path, baseUrl: settings.baseUrl },
      ...traced?.(),
    }));
    this.traceId = this.span?.traceparent.split('-')[1];
    const { signal } = options;
    this.#unfollow = signal && followSignal(signal, () => this.fail(new AbortError(signal.reason)));
  }

  /** Aborted when the call ends before its answer was read to its end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles with the result of `work`, or with the failure of the call even if `work` ignores its signal. */
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
    this.attempt += 1;
    if (this.failure) throw this.failure;
    const place = this.core.places.enter(this.signal);
    this.#leavePlace = place instanceof Promise ? await this.within('queue', place) : place;
    if (this.#isFinished) this.leavePlace();
    this.#stopTotal ??= this.startTimer('total');
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
    return after(this.#isFinished ? Number.POSITIVE_INFINITY : milliseconds - passed, () =>
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
    const failure = this.failure ?? this.asSpeechError(error);
    this.fail(failure);
    return failure;
  }

  /** An error of this package as it is, or another one as a connection that failed. */
  asSpeechError(error: unknown): SpeechError {
    const { baseUrl, redact } = this.core.settings;
    return toSpeechError(error, redact, (reason, cause) => {
      const words = `${this.operationId}: the connection to ${new URL(baseUrl).host} failed: ${reason}`;
      return new ConnectionError(words, { cause });
    });
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
    if (this.attempt > 0) {
      const outcome = { ...ofStatus, ...(failure && { error: failure.name }) };
      const isRefused = status !== undefined && (status < 200 || status > 299);
      if (failure || isRefused) this.log('warn', 'failure', outcome);
      this.log('debug', 'end', outcome);
    }
    const firstAudioMilliseconds = this.#firstAudioMilliseconds;
    tell(() => this.span?.end?.({ ...ofStatus, ...(failure && { error: failure }), firstAudioMilliseconds }));
  }

  /** An error for an answer that is not what the specification promises. It ends the call. */
  protocolError(message: string, details: { cause?: unknown; body?: unknown } = {}): SpeechError {
    const { status, traceId } = this;
    const words = this.core.settings.redact(`${this.operationId}: ${message}`);
    return this.end(new ProtocolError(words, { status, traceId, ...details }));
  }

  log(level: keyof Logger, message: string, fields?: Partial<LogFields>, headers?: Headers): void {
    const { logger, redact } = this.core.settings;
    if (!logger) return;
    tell(() =>
      logger[level]?.(`speech-api ${message}`, {
        operationId: this.operationId,
        attempt: this.attempt,
        milliseconds: Date.now() - this.#started,
        traceId: this.traceId,
        ...fields,
        ...(headers && { headers: loggedHeaders(headers, redact) }),
      }),
    );
  }
}

/** Informs a logger or a tracer. If it throws, the caller must not lose a paid answer. */
function tell(write: () => void): void {
  try {
    write();
  } catch {
    // Nobody is left to be informed.
  }
}

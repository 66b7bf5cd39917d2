import type { paths } from '@speech-api/types';
import { headerNames, mediaTypes } from '@speech-api/types/constants';
import type { Client } from 'openapi-fetch';
import { createApiError, explain, parseError, retryAfterSeconds } from '../api-error.ts';
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
import type {
  CallOptions,
  Complete,
  FetchInit,
  LogFields,
  Logger,
  RetryOptions,
  Timeouts,
} from '../options.ts';
import { loggedHeaders } from '../options.ts';
import { type ClientSettings, cleanCallOptions } from '../settings.ts';
import { type CallSpan, startSpan, type TracedCall } from '../trace.ts';
import { asResponse, type BodyReader, cancelBody, readBeginning, type Watch } from './body.ts';
import { bodyFor, type EncodedBody, requireReadable } from './encode.ts';
import type { Queue } from './queue.ts';
import { after, sleep } from './timer.ts';

// One call, from top to bottom: options, deadlines, openapi-fetch, fetch, retries, redirects, the body, errors.

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
  readonly read: (call: Call, response: Response) => Value | Promise<Value>;
}

/** Shared by the resources and the calls of a client. */
export interface Core {
  readonly settings: ClientSettings;
  readonly places: Queue;
  /** The client for direct calls, which are encoded and queued like those of the resources. */
  readonly http: SpeechHttp;
  /** The request method of openapi-fetch itself. */
  readonly request: SendRequest;
  /** True if a middleware was added, which may read or replace the body of a request. */
  hasMiddleware: boolean;
}

/** openapi-fetch without the types of its paths. */
export type SendRequest = (
  method: string,
  path: string,
  options?: HttpOptions,
) => Promise<{ readonly response: Response; readonly error?: unknown }>;

/** The options of an openapi-fetch request that are read here. */
export interface HttpOptions {
  readonly body?: unknown;
  readonly headers?: HeadersInit | undefined;
  readonly params?: { readonly header?: Readonly<Record<string, string>>; readonly [place: string]: unknown };
  readonly bodySerializer?: (body: unknown, headers?: Headers) => unknown;
  readonly signal?: AbortSignal;
  readonly middleware?: readonly unknown[];
  readonly [option: string]: unknown;
}

/** Makes one call. Invalid requests are refused and the body is encoded before anything is awaited. */
export function send<Value, Options extends CallOptions>(
  core: Core,
  operationId: string,
  options: Options,
  prepare: (options: Options) => Operation<Value>,
): CallPromise<Value> {
  const call = new Call(core, operationId);
  const answer = call.settle(perform(call, options, prepare));
  const value = answer.then(({ data }) => data);
  const withResponse = () => {
    // If a caller uses both promises, a failure is reported through the answer only.
    value.catch(() => undefined);
    return answer;
  };
  return Object.assign(value, { withResponse });
}

async function perform<Value, Options extends CallOptions>(
  call: Call,
  uncheckedOptions: Options,
  prepare: (options: Options) => Operation<Value>,
): Promise<Answer<Value>> {
  const { core, operationId } = call;
  const { settings } = core;
  const options = cleanCallOptions(uncheckedOptions) as Options;
  call.follow(options.signal);
  const operation = prepare(options);
  const { method, path, body, traced, accept = mediaTypes.json } = operation;
  call.limit(options, operation.timeouts);
  call.encoded = body;
  if (body && body.blobs.length > 0) await call.within('headers', requireReadable(body.blobs));
  const span = call.begin(() =>
    startSpan(options.trace ?? settings.trace, traced !== undefined, () => ({
      ...{ operationId, method: method.toUpperCase(), path, baseUrl: settings.baseUrl },
      ...traced?.(),
    })),
  );
  const { response, error } = await core.request(method, path, {
    ...requestBody(core, body),
    parseAs: 'stream',
    fetch: (request: Request) => call.exchange(request),
    params: { path: operation.pathParts, query: operation.query, header: operation.header ?? {} },
    headers: {
      accept,
      ...(traced && span && { [headerNames.traceparent]: span.traceparent }),
      ...options.headers,
      ...(body && { 'content-type': body.contentType }),
    },
  });
  if (!response.ok) throw call.end(createApiError(operationId, response, error, call.traceId));
  call.answered(response);
  return { data: await operation.read(call, response), response };
}

/** Creates a body for openapi-fetch, which carries our encoded body. Only a middleware can read the body of its `Request`. */
export function requestBody(
  core: Core,
  encoded: EncodedBody | undefined,
  isSeen = core.hasMiddleware,
): HttpOptions {
  if (!encoded) return {};
  // A Blob would copy its parts, which may be recordings.
  if (!isSeen) return { encoded };
  const { content } = encoded;
  const body = typeof content === 'string' ? content : new Blob([...content]);
  return { encoded, body, bodySerializer: (value) => value };
}

/** Node's own `fetch` stops waiting for headers, or for the next bytes, after this many milliseconds in any case. */
const nodeWait = 300_000;

/**
 * What ends the calls of a signal. Each signal has one listener, because Node 20 warns when there are eleven, and it goes
 * with the last call: a signal of `AbortSignal.any` lives as long as it has a listener.
 */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

function abortCalls({ currentTarget }: Event): void {
  for (const abort of [...(followers.get(currentTarget as AbortSignal) ?? [])]) abort();
}

/**
 * The life of one call: deadlines, place, trace, retries and cancellation. It ends when its body is read, left or
 * cancelled, and when anything fails.
 */
export class Call implements Watch {
  readonly operationId: string;
  readonly core: Core;
  timeouts!: Complete<Timeouts>;
  encoded: EncodedBody | undefined;
  /** True for a call of `client.http`, whose answer the caller reads. */
  isRaw = false;
  traceId: string | undefined;
  /** The error that ended the call early. */
  failure: SpeechError | undefined;
  /** Status of the latest answer. */
  status: number | undefined;
  reader: BodyReader | undefined;

  readonly #controller = new AbortController();
  readonly #started = Date.now();
  #retry!: Complete<RetryOptions>;
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #isSending = false;
  #attempt = 0;
  #span: CallSpan | undefined;
  #firstAudioMilliseconds: number | undefined;
  #reject: ((failure: SpeechError) => void) | undefined;
  #stopTotal: (() => void) | undefined;
  #leave: (() => void) | undefined;
  #unfollow: (() => void) | undefined;
  #isFinished = false;
  #isAskingForKey = false;

  constructor(core: Core, operationId: string) {
    this.core = core;
    this.operationId = operationId;
  }

  /** Settles with the result of `work`, or with the failure of the call even if `work` ignores its signal. */
  settle<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, (error) => {
        // An error thrown by a middleware is passed on unchanged.
        if (!this.#isSending || SpeechError.isInstance(error)) return reject(this.end(error));
        this.abandon();
        reject(this.failure ?? error);
      });
      if (this.failure) reject(this.failure);
    });
  }

  /** Ends the call with the caller's signal. */
  follow(signal: AbortSignal | undefined): void {
    if (!signal) return;
    const onAbort = (): void => this.fail(new AbortError(signal.reason));
    if (signal.aborted) throw new AbortError(signal.reason);
    const calls = followers.get(signal) ?? new Set();
    if (calls.size === 0) {
      followers.set(signal, calls);
      signal.addEventListener('abort', abortCalls);
    }
    calls.add(onAbort);
    this.#unfollow = () => {
      calls.delete(onAbort);
      if (calls.size === 0) signal.removeEventListener('abort', abortCalls);
    };
  }

  /** Sets the deadlines and retries. Refuses a wait that the runtime would end earlier. */
  limit({ timeouts, retry }: CallOptions, ofOperation: Timeouts = {}): void {
    const { settings } = this.core;
    const chosen: Timeouts = { ...settings.timeouts, ...timeouts };
    for (const phase of ['headers', 'firstByte', 'idle'] as const) {
      const milliseconds = chosen[phase] ?? 0;
      if (!settings.streamsUploads || milliseconds <= nodeWait) continue;
      const words = `timeouts.${phase} is ${milliseconds} ms, but the fetch of Node ends each wait after ${nodeWait} ms; pass a fetch with a dispatcher of undici, as the README shows under "Long waits"`;
      throw new RequestError(words, { field: `timeouts.${phase}` });
    }
    const defaults = { queue: 300_000, headers: 60_000, firstByte: 30_000, idle: 30_000, total: 60_000 };
    this.timeouts = { ...defaults, ...ofOperation, ...chosen } as Complete<Timeouts>;
    this.#retry = { ...settings.retry, ...retry } as Complete<RetryOptions>;
  }

  /** The request is prepared: any later failure is one of the connection. */
  begin(start?: () => CallSpan | undefined): CallSpan | undefined {
    if (this.failure) throw this.failure;
    this.#isSending = true;
    this.#span = start?.();
    this.traceId = this.#span?.traceparent.split('-')[1];
    return this.#span;
  }

  /** Sends the request, and repeats it only if that is allowed. An error's body may be incomplete. */
  async exchange(request: Request): Promise<Response> {
    const mayRepeat = this.#retry.methods.includes(request.method);
    for (;;) {
      this.#attempt += 1;
      if (this.failure) throw this.failure;
      const entered = this.core.places.enter(this.#controller.signal);
      this.#leave = entered instanceof Promise ? await this.within('queue', entered) : entered;
      if (this.#isFinished) this.#leave();
      this.#stopTotal ??= this.startTimer('total');
      let delay: number | undefined;
      try {
        const response = await this.#redirected(request);
        const { ok, status, headers } = response;
        this.#log('debug', 'response', { status }, headers);
        if (ok) {
          if (this.isRaw) this.#leave();
          return this.isRaw || this.core.hasMiddleware ? asResponse(response) : response;
        }
        if (mayRepeat && isRetryableStatus(status)) {
          delay = retryDelay(this.#retry, this.#attempt - 1, retryAfterSeconds(headers));
        }
        if (delay === undefined || request.method !== 'GET') {
          const { text, isComplete } = await this.readErrorText(response);
          // A broken-off error may mean less than it says, so a call that may be billed is not repeated for it.
          if (delay === undefined || !isComplete) {
            this.finish();
            return errorResponse(response, text);
          }
        } else cancelBody(response);
      } catch (error) {
        if (isOfNext(error)) throw error;
        if (mayRepeat && ConnectionError.isInstance(error) && !this.failure) {
          delay = retryDelay(this.#retry, this.#attempt - 1, undefined);
        }
        if (delay === undefined) throw this.end(error);
        this.#log('warn', 'failure', { error: 'ConnectionError' });
      }
      // While this call waits for its next try, the next call may run.
      this.#leave?.();
      this.#log('info', `waits ${Math.round(delay)} ms to try again`);
      await sleep(delay, this.#controller.signal);
    }
  }

  /** The answer to a request. A GET follows redirects within the origin that the caller named. */
  async #redirected(request: Request): Promise<Response> {
    const init = await this.#initOf(request);
    for (let hops = 0, address = request.url; ; hops += 1) {
      const response = await this.within('headers', this.#fetch(address, init));
      // The trace id that the service returned, if it is valid.
      const traceId = response.headers.get(headerNames.traceId) ?? '';
      if (/^(?!0{32})[0-9a-f]{32}$/.test(traceId)) this.traceId = traceId;
      const { type, redirected, status } = response;
      this.status = status;
      if (type !== 'opaqueredirect' && !redirected && (status < 300 || status > 399)) return response;
      const location = response.headers.get('location') ?? '';
      const target = location && URL.canParse(location, address) ? new URL(location, address) : undefined;
      cancelBody(response);
      // Other redirects are errors, so that the key and the text never reach an unknown address.
      if (target?.origin !== new URL(address).origin || request.method !== 'GET' || hops === 5) {
        const place = target ? ` to ${target.origin}` : '';
        throw this.protocolError(
          `the service redirects${place}, which is not followed; is baseUrl the right address?`,
        );
      }
      address = target.href;
    }
  }

  /** The init of `fetch`. A stream is created anew for each try. */
  async #initOf(request: Request): Promise<FetchInit> {
    const { settings } = this.core;
    const { 'content-length': _length, ...headers } = Object.fromEntries(request.headers);
    let body: Awaited<ReturnType<typeof bodyFor>> | undefined;
    if (this.encoded && (request as { encoded?: unknown }).encoded === this.encoded) {
      body = await bodyFor(this.encoded, settings.streamsUploads);
    } else if (request.body) {
      // A middleware made another request.
      this.#bytes ??= new Uint8Array(await request.arrayBuffer());
      body = this.#bytes;
    }
    if (headers[headerNames.authorization] === undefined) {
      this.#isAskingForKey = true;
      const authorization = await this.within('headers', settings.authorization());
      this.#isAskingForKey = false;
      if (authorization !== undefined) headers[headerNames.authorization] = authorization;
    }
    this.#log('debug', 'request', undefined, request.headers);
    const isStream = body instanceof ReadableStream;
    if (isStream) headers['content-length'] = String(this.encoded?.byteLength);
    return {
      method: request.method,
      headers,
      redirect: 'manual',
      signal: this.#controller.signal,
      ...withoutStore(),
      // Only Node's own `fetch` gets a stream.
      ...(body !== undefined && { body: body as string }),
      ...(isStream && { duplex: 'half' }),
    };
  }

  async #fetch(address: string, init: FetchInit): Promise<Response> {
    if (this.failure) throw this.failure;
    const { fetch } = this.core.settings;
    try {
      const send = () => fetch(address, init);
      return (await (this.#span?.run ? this.#span.run(send) : send())) as Response;
    } catch (error) {
      throw isOfNext(error) ? error : (this.failure ?? this.#translated(error));
    }
  }

  /** The beginning of an error's body, without the key: its status matters more than how the body ended. */
  async readErrorText({ body }: Response): Promise<{ readonly text: string; readonly isComplete: boolean }> {
    const { text, isComplete } = await readBeginning(body, Math.min(errorBodyTime, this.timeouts.idle));
    if (this.failure) throw this.failure;
    return { text: this.core.settings.redact(text), isComplete };
  }

  /** Marks that a success has passed the middleware. */
  answered({ status }: Response): void {
    this.status = status;
    if (status === 206) throw this.protocolError('the service answered with a part of a body');
  }

  /** Notes when the first audio came. */
  heardAudio(): void {
    this.#firstAudioMilliseconds ??= Date.now() - this.#started;
  }

  /** Ends the call with `failure` and closes its connection. The first failure stays. */
  fail(failure: SpeechError): void {
    if (this.failure || this.#isFinished) return;
    this.failure = failure;
    this.#controller.abort(failure);
    this.reader?.stop(failure);
    this.#reject?.(failure);
    this.finish(failure);
  }

  /** Closes the connection of an answer that is not read to its end. */
  abandon(failure?: SpeechError): void {
    if (this.#isFinished) return;
    this.#controller.abort();
    this.finish(failure);
  }

  /** Ends the call because of an outside error, and returns it as an error of this package. */
  end(error: unknown): SpeechError {
    this.failure ??= this.#translated(error);
    this.abandon(this.failure);
    return this.failure;
  }

  /** Ends the call: stops its timers and gives its place to the next. Harmless when called again. */
  finish(failure?: SpeechError): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#stopTotal?.();
    this.#unfollow?.();
    this.#leave?.();
    const { status } = this;
    const ofStatus = status === undefined ? {} : { status };
    const outcome = { ...ofStatus, ...(failure && { error: failure.name }) };
    const isRefused = status !== undefined && (status < 200 || status > 299);
    // A call that was never sent writes nothing to the log.
    if (this.#attempt > 0) {
      if (failure || isRefused) this.#log('warn', 'failure', outcome);
      this.#log('debug', 'end', outcome);
    }
    const firstAudioMilliseconds = this.#firstAudioMilliseconds;
    tell(() =>
      this.#span?.end?.({ ...ofStatus, ...(failure && { error: failure }), firstAudioMilliseconds }),
    );
  }

  /** An error for an answer that is not what the specification promises. It ends the call. */
  protocolError(message: string, details: { cause?: unknown; body?: unknown } = {}): SpeechError {
    const { status, traceId } = this;
    const words = this.core.settings.redact(`${this.operationId}: ${message}`);
    return this.end(new ProtocolError(words, { status, traceId, ...details }));
  }

  /** A success with another media type that is in fact an error; its text is kept. */
  async refuseMediaType(response: Response, expected: string, mediaType: string): Promise<never> {
    const isText = /json|text/.test(mediaType) && mediaType !== mediaTypes.eventStream;
    const body = isText ? parseError((await this.readErrorText(response)).text) : undefined;
    const reason = explain(body) ?? '';
    const words = `expected ${expected}, but got ${mediaType || 'no media type'}${reason && `; it says: ${reason}`}`;
    throw this.protocolError(words, { body });
  }

  /** Fails the call when `phase` exceeds its deadline, of which some time may have passed. */
  startTimer(phase: keyof Timeouts, passed = 0): () => void {
    const milliseconds = this.timeouts[phase];
    return after(this.#isFinished ? Number.POSITIVE_INFINITY : milliseconds - passed, () =>
      this.fail(
        this.#isAskingForKey
          ? new ConfigurationError(`apiKey() gave no key within ${milliseconds} ms`)
          : new TimeoutError(phase, milliseconds),
      ),
    );
  }

  async within<Value>(phase: keyof Timeouts, pending: Promise<Value>): Promise<Value> {
    const stop = this.startTimer(phase);
    try {
      return await pending;
    } finally {
      stop();
    }
  }

  /** Converts any error to an error of this package, depending on the phase of the call. */
  #translated(error: unknown): SpeechError {
    const { baseUrl, redact } = this.core.settings;
    return toSpeechError(error, redact, (reason, cause) => {
      if (!this.#isSending) {
        return new RequestError(`the request cannot be sent: ${reason}`, { field: 'body', cause });
      }
      if (reason === 'UND_ERR_INVALID_ARG') {
        const words =
          "the dispatcher is not of the undici that fetch is of; install the version of Node's own, or pass the fetch of the same package";
        return new ConfigurationError(`${this.operationId}: ${words}`, { cause });
      }
      const { host } = new URL(baseUrl);
      const words = `the connection to ${host} failed: ${reason}`;
      return new ConnectionError(`${this.operationId}: ${words}`, { cause });
    });
  }

  #log(level: keyof Logger, message: string, fields?: Partial<LogFields>, headers?: Headers): void {
    const { logger, redact } = this.core.settings;
    tell(() =>
      logger?.[level]?.(`speech-api ${message}`, {
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

/** Informs a logger or a tracer. If it throws, the caller must not lose a paid answer. */
function tell(write: () => void): void {
  try {
    write();
  } catch {
    // Nobody is left to be informed.
  }
}

/** Milliseconds to read an error's body; a page of HTML says nothing more after that. */
const errorBodyTime = 5000;

/** True if a complete answer with this status may be retried. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Time in milliseconds to wait before the next try; undefined means give up.
 *
 * Full jitter spreads clients that failed together; if the service asks for a longer wait than the maximum,
 * there is no retry, because an earlier one would be refused again.
 */
export function retryDelay(
  options: Readonly<Record<'retries' | 'minimumDelay' | 'maximumDelay', number>>,
  retriesDone: number,
  askedSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (retriesDone >= options.retries) return undefined;
  if (askedSeconds !== undefined) {
    const milliseconds = askedSeconds * 1000;
    return milliseconds <= options.maximumDelay ? milliseconds : undefined;
  }
  return random() * Math.min(options.maximumDelay, options.minimumDelay * 2 ** retriesDone);
}

let noStore: Pick<FetchInit, 'cache'> | undefined;

/**
 * Sets `cache: 'no-store'`. Otherwise Next.js 14 keeps answers, those of a POST too: audio would come late and all at once, and
 * the same text would get the audio of before. Empty if the runtime refuses it.
 */
function withoutStore(): Pick<FetchInit, 'cache'> {
  if (noStore) return noStore;
  noStore = { cache: 'no-store' };
  try {
    new Request('http://localhost', noStore);
  } catch {
    noStore = {};
  }
  return noStore;
}

/** True for what Next.js throws from `fetch` to render a page at request time. It must reach Next.js unchanged. */
const isOfNext = (error: unknown): boolean =>
  typeof (error as { digest?: unknown } | null)?.digest === 'string';

/** An error whose body has been read, for the middleware and openapi-fetch. */
function errorResponse({ status, headers, url }: Response, text: string): Response {
  const made = new Response(text, { status: Math.min(status, 599), headers: [...headers] });
  return Object.defineProperties(made, { status: { value: status }, url: { value: url } });
}

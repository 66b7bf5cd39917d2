import type { paths } from '@speech-api/types';
import { headerNames, mediaTypes } from '@speech-api/types/constants';
import createClient, { type Client, defaultPathSerializer, mergeHeaders } from 'openapi-fetch';
import { createApiError } from '../api-error.ts';
import { ConfigurationError, RequestError } from '../errors.ts';
import type { CallOptions, Complete, Fetch, RetryOptions, Timeouts } from '../options.ts';
import { type ClientSettings, cleanCallOptions, requireOrigin, timeoutsOf } from '../settings.ts';
import { startSpan, type TracedCall } from '../trace.ts';
import { BodyReader } from './body.ts';
import { Call, type Caller } from './call.ts';
import { bodyFor, type EncodedBody, encode, kindOf } from './encode.ts';
import { exchange, type MadeRequest, PlainRequest } from './exchange.ts';
import type { Queue } from './queue.ts';

// How a call is made: by a resource with `send`, or directly with `client.http`. Both go through openapi-fetch, which fills in
// the address and runs the middleware; its `fetch` is our `exchange`. This is the only file that knows openapi-fetch.

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
export interface Core extends Caller {
  readonly openApi: OpenApi;
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
  const { settings } = core;
  const options = cleanCallOptions(uncheckedOptions) as Options;
  const operation = prepare(options);
  const { method, path, body, accept = mediaTypes.json, traced } = operation;
  const timeouts = timeoutsOf(settings, operation.timeouts, options.timeouts);
  const span = startSpan(options.trace ?? settings.trace, traced !== undefined, () => ({
    ...{ operationId, method: method.toUpperCase(), path, baseUrl: settings.baseUrl },
    ...traced?.(),
  }));
  const retry = { ...settings.retry, ...options.retry } as Complete<RetryOptions>;
  const call = new Call(core, { operationId, timeouts, retry, signal: options.signal, span });
  return call.run(async () => {
    await operation.load?.();
    const { openApi } = core;
    const { response, error } = await openApi.request(method, path, {
      ...(await bodyOptions(settings, body, openApi.hasMiddleware)),
      fetch: (request: MadeRequest) => exchange(call, request),
      parseAs: 'stream',
      params: { path: operation.pathParts, query: operation.query, header: operation.header ?? {} },
      headers: {
        accept,
        ...(traced && span && { [headerNames.traceparent]: span.traceparent }),
        ...options.headers,
        ...(body && { 'content-type': body.contentType }),
      },
    });
    if (!response.ok) throw call.end(createApiError(operationId, response, error, call.traceId));
    call.status = response.status;
    if (response.status === 206) throw call.protocolError('the service answered with a part of a body');
    return { data: await operation.read(call, response), response, call };
  });
}

/** The options with which openapi-fetch carries an encoded body. Middleware gets a `Request` of the platform, and may read it. */
async function bodyOptions(
  { streamsUploads }: ClientSettings,
  encoded: EncodedBody | undefined,
  isSeen: boolean,
): Promise<HttpOptions> {
  if (!isSeen) return { Request: PlainRequest, encoded, body: undefined };
  const content = encoded?.content;
  // A Blob of Node copies what is in memory, and no file.
  const isLazy = streamsUploads && Array.isArray(content);
  const body = isLazy ? new Blob(content) : encoded && (await bodyFor(encoded, false));
  return { encoded, body, bodySerializer: (value: unknown) => value };
}

/** The typed openapi-fetch client: every path of the specification, with the client's key, deadlines and queue. */
export type SpeechHttp = Client<paths>;

interface OpenApi {
  /** For direct calls, which are encoded and queued like those of the resources. */
  readonly http: SpeechHttp;
  /** The function beneath, without the types of the paths. */
  readonly request: SendRequest;
  hasMiddleware: boolean;
}

type SendRequest = (
  method: string,
  path: string,
  options?: HttpOptions,
) => Promise<{ readonly response: Response; readonly error?: unknown }>;

/** The options of an openapi-fetch request that are read here. */
interface HttpOptions {
  readonly body?: unknown;
  readonly headers?: HeadersInit | undefined;
  readonly params?: { readonly header?: Readonly<Record<string, string>>; readonly [place: string]: unknown };
  readonly bodySerializer?: (body: unknown, headers?: Headers) => unknown;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly middleware?: readonly unknown[];
  readonly parseAs?: string;
  readonly [option: string]: unknown;
}

export function createCore(settings: ClientSettings, places: Queue): Core {
  let openApi: OpenApi | undefined;
  return {
    settings,
    places,
    // Made at the first call, because the first access to `Request` takes 27 ms in Node.
    get openApi() {
      openApi ??= createOpenApi({ settings, places });
      return openApi;
    },
  };
}

function createOpenApi(caller: Caller): OpenApi {
  const { baseUrl, headers } = caller.settings;
  if (!('Request' in globalThis)) {
    throw new ConfigurationError('Request is missing; the client needs the fetch API');
  }
  requireOrigin(baseUrl);
  const http = createClient<paths>({ baseUrl, headers, redirect: 'manual', pathSerializer: serializePath });
  const { use } = http;
  const openApi: OpenApi = { http, request: http.request as unknown as SendRequest, hasMiddleware: false };
  const direct: SendRequest = (method, path, options = {}) =>
    callDirectly(caller, openApi, method, path, options);
  // The methods of openapi-fetch are its functions in capitals.
  const methods = Object.keys(http).filter((name) => /^[A-Z]+$/.test(name));
  for (const method of methods) Object.assign(http, { [method]: direct.bind(null, method) });
  http.request = direct as unknown as typeof http.request;
  http.use = (...middleware) => {
    openApi.hasMiddleware = true;
    use(...middleware);
  };
  return openApi;
}

/** A call of `client.http`: its answer is the plain `Response` of the service, and its place is free with the headers. */
async function callDirectly(
  caller: Caller,
  openApi: OpenApi,
  method: string,
  path: string,
  { bodySerializer, ...options }: HttpOptions,
): ReturnType<SendRequest> {
  const { signal, fetch, middleware = [], params, parseAs } = options;
  cleanCallOptions({ signal });
  const settings = fetch ? settingsWith(fetch, caller.settings) : caller.settings;
  const timeouts = timeoutsOf(settings, { total: Number.POSITIVE_INFINITY });
  const outline = { operationId: method.toUpperCase(), timeouts, retry: settings.retry, signal };
  const call = new Call({ ...caller, settings }, outline);
  return call.run(async () => {
    const headers = mergeHeaders(options.headers, params?.header);
    const body =
      bodySerializer && options.body !== undefined ? bodySerializer(options.body, headers) : options.body;
    const isEncodable = ['Object', 'Array', 'FormData'].includes(kindOf(body));
    const encoded = isEncodable
      ? encode(body as object, headers.get('content-type') ?? undefined)
      : undefined;
    const isForeign = body !== undefined && !encoded;
    const answer = await openApi.request(method, path, {
      ...options,
      ...(await bodyOptions(settings, encoded, isForeign || openApi.hasMiddleware || middleware.length > 0)),
      ...(isForeign && { body }),
      // These headers replace those of the caller, because openapi-fetch puts them last.
      ...(encoded && {
        params: { ...params, header: { ...params?.header, 'content-type': encoded.contentType } },
      }),
      async fetch(request: MadeRequest) {
        const response = await exchange(call, request);
        call.leavePlace();
        return response.ok && parseAs === 'stream' ? new BodyReader(call, response).response : response;
      },
    });
    if (answer.response.bodyUsed || !answer.response.body) call.finish();
    return answer;
  });
}

/** Settings for a call with a `fetch` of its own, such as the one that SvelteKit gives to `load`. It takes a `Request`. */
function settingsWith(fetch: NonNullable<HttpOptions['fetch']>, settings: ClientSettings): ClientSettings {
  const send: Fetch = (address, init) => fetch(new Request(address, init));
  return { ...settings, fetch: send, streamsUploads: false };
}

/**
 * Fills in the parts of a path. Refuses empty values, `.` and `..`, because they lead to another path, where a DELETE may
 * do harm.
 */
function serializePath(path: string, parts: Record<string, unknown>): string {
  for (const [field, value] of Object.entries(parts)) {
    if (typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(value)) continue;
    const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
    throw new RequestError(`${field} cannot be ${shown}; pass the id as a text`, { field });
  }
  return defaultPathSerializer(path, parts);
}

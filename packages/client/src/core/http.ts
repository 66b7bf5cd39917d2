import type { paths } from '@speech-api/types';
import createClient, { type Client, defaultPathSerializer, mergeHeaders } from 'openapi-fetch';
import { ConfigurationError, RequestError } from '../errors.ts';
import type { Fetch } from '../options.ts';
import { type ClientSettings, cleanCallOptions } from '../settings.ts';
import { asResponse, BodyReader } from './body.ts';
import { Call, type Core } from './call.ts';
import { type EncodedBody, encode, kindOf } from './encode.ts';
import { exchange, PlainRequest } from './exchange.ts';
import type { Queue } from './queue.ts';

// The only file that knows openapi-fetch.

/** The typed openapi-fetch client: every path of the specification, with the client's key, deadlines and queue. */
export type SpeechHttp = Client<paths>;

/** What the resources send with, and the client for direct calls, which are encoded and queued like those of the resources. */
export interface HttpCore extends Core {
  readonly http: SpeechHttp;
}

/** openapi-fetch without the types of its paths. */
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

export function createCore(settings: ClientSettings, places: Queue): HttpCore {
  let made: ReturnType<typeof createHttp> | undefined;
  const get = () => {
    made ??= createHttp(core);
    return made;
  };
  const core: HttpCore = {
    settings,
    places,
    request(call, { method, path, pathParts, query, header = {}, body }, headers) {
      const { request, hasMiddleware } = get();
      return request(method, path, {
        ...carried(call, body, hasMiddleware()),
        parseAs: 'stream',
        params: { path: pathParts, query, header },
        headers,
      });
    },
    get http() {
      return get().http;
    },
  };
  return core;
}

/** What makes openapi-fetch carry the body and send the request of a call. Middleware sees a `Request` of the platform. */
function carried(call: Call, encoded: EncodedBody | undefined, hasMiddleware: boolean) {
  if (!hasMiddleware) {
    const fetch = (request: PlainRequest | Request) => exchange(call, request);
    return { Request: PlainRequest, fetch, encoded, body: undefined };
  }
  const fetch = async (request: PlainRequest | Request) => asResponse(await exchange(call, request));
  const content = encoded?.content;
  // A middleware may read this copy of the body. A Blob copies what is in memory, and no file.
  const body = Array.isArray(content) ? new Blob(content) : content;
  return { fetch, encoded, body, bodySerializer: (value: unknown) => value };
}

function createHttp(core: Core) {
  const { baseUrl, headers } = core.settings;
  if (!('Request' in globalThis)) {
    throw new ConfigurationError('Request is missing; the client needs the fetch API, which jsdom lacks');
  }
  const http = createClient<paths>({ baseUrl, headers, redirect: 'manual', pathSerializer: serializePath });
  const request = http.request as unknown as SendRequest;
  const { use } = http;
  let hasMiddleware = false;
  const sendRaw: SendRequest = async (method, path, options = {}) => {
    const { signal, middleware = [], fetch } = options;
    const timeouts = { total: Number.POSITIVE_INFINITY };
    const call = new Call(
      fetch ? sendingWith(fetch, core) : core,
      method.toUpperCase(),
      cleanCallOptions({ signal, trace: false }),
      {
        timeouts,
      },
    );
    const isSeen = hasMiddleware || middleware.length > 0;
    return call.run(() => performRaw(call, request, method, path, options, isSeen));
  };
  // The methods of openapi-fetch are its functions in capitals.
  const methods = Object.keys(http).filter((name) => /^[A-Z]+$/.test(name));
  for (const method of methods) Object.assign(http, { [method]: sendRaw.bind(null, method) });
  http.request = sendRaw as unknown as typeof http.request;
  http.use = (...middleware) => {
    hasMiddleware = true;
    use(...middleware);
  };
  return { http, request, hasMiddleware: () => hasMiddleware };
}

/** The core for a call with a `fetch` of its own, such as the one that SvelteKit gives to `load`. It takes a `Request`. */
function sendingWith(fetch: NonNullable<HttpOptions['fetch']>, { settings, ...core }: Core): Core {
  const send: Fetch = (address, init) => fetch(new Request(address, init));
  return { ...core, settings: { ...settings, fetch: send, streamsUploads: false } };
}

/** A call of `client.http`: its answer is the plain `Response` of the service, and its place is free with the headers. */
async function performRaw(
  call: Call,
  request: SendRequest,
  method: string,
  path: string,
  { bodySerializer, ...options }: HttpOptions,
  hasMiddleware: boolean,
): ReturnType<SendRequest> {
  const headers = mergeHeaders(options.headers, options.params?.header);
  const body =
    bodySerializer && options.body !== undefined ? bodySerializer(options.body, headers) : options.body;
  const isEncodable = ['Object', 'Array', 'FormData'].includes(kindOf(body));
  const encoded = isEncodable ? encode(body as object, headers.get('content-type') ?? undefined) : undefined;
  const { params, parseAs } = options;
  const isPlain = !hasMiddleware && (encoded !== undefined || body === undefined);
  const { fetch, ...carrier } = carried(call, encoded, !isPlain);
  const answer = await request(method, path, {
    ...options,
    ...carrier,
    async fetch(made: PlainRequest | Request) {
      const response = asResponse(await fetch(made));
      call.leavePlace();
      return response.ok && parseAs === 'stream' ? new BodyReader(call, response).response : response;
    },
    ...(!encoded && { body }),
    // These headers replace those of the caller, because openapi-fetch puts them last.
    ...(encoded && {
      params: { ...params, header: { ...params?.header, 'content-type': encoded.contentType } },
    }),
  });
  if (answer.response.bodyUsed || !answer.response.body) call.finish();
  return answer;
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

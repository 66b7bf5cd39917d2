import type { paths } from '@speech-api/types';
import createClient, { defaultPathSerializer, type Middleware, mergeHeaders } from 'openapi-fetch';
import { ConfigurationError, RequestError } from '../errors.ts';
import type { ClientSettings } from '../settings.ts';
import { asResponse } from './body.ts';
import { encode, kindOf, requireReadable } from './encode.ts';
import type { Queue } from './queue.ts';
import {
  Call,
  type Core,
  type HttpOptions,
  requestBody,
  type SendRequest,
  type SpeechHttp,
} from './request.ts';

export function createCore(settings: ClientSettings, places: Queue): Core {
  let made: ReturnType<typeof createHttp> | undefined;
  // Created on first use, because the first access to `Request` takes 27 ms in Node.
  const get = () => {
    made ??= createHttp(core);
    return made;
  };
  const core: Core = {
    settings,
    places,
    hasMiddleware: false,
    get http() {
      return get().http;
    },
    get request() {
      return get().request;
    },
  };
  return core;
}

function createHttp(core: Core): { readonly http: SpeechHttp; readonly request: SendRequest } {
  const { baseUrl, headers } = core.settings;
  if (!('Request' in globalThis)) {
    throw new ConfigurationError('Request is missing; the client needs the fetch API, which jsdom lacks');
  }
  const http = createClient<paths>({ baseUrl, headers, redirect: 'manual', pathSerializer: serializePath });
  const request = http.request as unknown as SendRequest;
  const { use, eject } = http;
  const sendRaw: SendRequest = (method, path, options = {}) => {
    const call = new Call(core, method.toUpperCase());
    return call.settle(performRaw(call, request, method, path, options));
  };
  // The methods of openapi-fetch are its functions in capitals.
  const methods = Object.keys(http).filter((name) => /^[A-Z]+$/.test(name));
  for (const method of methods) Object.assign(http, { [method]: sendRaw.bind(null, method) });
  http.request = sendRaw as unknown as typeof http.request;
  const wrapped = new Map<Middleware, Middleware>();
  http.use = (...middleware) => {
    core.hasMiddleware = true;
    for (const handlers of middleware) wrapped.set(handlers, withPlatformResponses(handlers));
    use(...middleware.map((handlers) => wrapped.get(handlers) ?? handlers));
  };
  http.eject = (...middleware) => eject(...middleware.map((handlers) => wrapped.get(handlers) ?? handlers));
  return { http, request };
}

/** A call of `client.http`: its answer is the plain `Response` of the service, and its place is free with the headers. */
async function performRaw(
  call: Call,
  request: SendRequest,
  method: string,
  path: string,
  options: HttpOptions,
): ReturnType<SendRequest> {
  call.follow(options.signal);
  call.limit({}, { total: Number.POSITIVE_INFINITY });
  call.isRaw = true;
  const { bodySerializer, ...others } = options;
  const headers = mergeHeaders(others.headers, others.params?.header);
  const body =
    bodySerializer && others.body !== undefined ? bodySerializer(others.body, headers) : others.body;
  const isEncoded = ['Object', 'Array', 'FormData'].includes(kindOf(body));
  call.encoded = isEncoded ? encode(body as object, headers.get('content-type') ?? undefined) : undefined;
  if (call.encoded) await call.within('headers', requireReadable(call.encoded.blobs));
  call.begin();
  const { params } = others;
  const answer = await request(method, path, {
    fetch: (made: Request) => call.exchange(made),
    ...others,
    ...(body !== undefined && { body, bodySerializer: (value: unknown) => value }),
    ...requestBody(call.core, call.encoded, true),
    // These headers replace those of the caller, because openapi-fetch puts them last.
    ...(call.encoded && {
      params: { ...params, header: { ...params?.header, 'content-type': call.encoded.contentType } },
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

/** A middleware whose answers may be those of another fetch, which openapi-fetch would refuse. */
function withPlatformResponses(middleware: Middleware): Middleware {
  const wrap =
    <Context, Result>(handle: ((context: Context) => Result) | undefined) =>
    async (context: Context): Promise<Awaited<Result>> => {
      const result = await handle?.(context);
      const isAnswer = typeof result === 'object' && result !== null && 'status' in result;
      return (isAnswer ? asResponse(result as unknown as Response) : result) as Awaited<Result>;
    };
  const { onRequest, onResponse, onError } = middleware;
  return {
    ...(onRequest && { onRequest: wrap(onRequest) }),
    ...(onResponse && { onResponse: wrap(onResponse) }),
    ...(onError && { onError: wrap(onError) }),
  } as Middleware;
}

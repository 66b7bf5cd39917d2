import type { paths } from '@speech-api/types';
import { headerNames, mediaTypes } from '@speech-api/types/constants';
import createClient, { defaultPathSerializer, mergeHeaders } from 'openapi-fetch';
import { copyOf, holdsBinary, kindOf } from '../copy.ts';
import type { BodyType, EncodedBody, RequestOptions } from '../encode.ts';
import { ConfigurationError, RequestError } from '../errors.ts';
import { loadLater } from '../on-demand.ts';
import type { ClientSettings } from '../settings.ts';
import { startSpan } from '../trace.ts';
import { guarded } from './body.ts';
import { Call, type Core, type Sent, type SpeechHttp } from './call.ts';
import type { Queue } from './queue.ts';

const asEncoded = (body: unknown): unknown => body;

/** openapi-fetch without the types of its paths, which an operation by its descriptor cannot have. */
type SendRequest = (
  method: string,
  path: string,
  options?: RequestOptions,
) => Promise<{ readonly response: Response; readonly error?: unknown }>;

export function createCore(settings: ClientSettings, queue: Queue): Core {
  let made: SpeechHttp | undefined;
  const core: Core = {
    settings,
    queue,
    forgotten: new FinalizationRegistry((call) => call.abandon()),
    // Made when it is needed: the first touch of `Request` costs 27 ms in Node.
    get http() {
      made ??= createHttp(core);
      return made;
    },
  };
  return core;
}

function createHttp(core: Core): SpeechHttp {
  const { settings } = core;
  const needed = ['Request', 'Response', 'Headers', 'ReadableStream'];
  const lacking = needed.find((name) => !(name in globalThis));
  if (lacking) {
    throw new ConfigurationError(`${lacking} is missing; the client needs the fetch API, which jsdom lacks`);
  }
  const http = createClient<paths>({
    baseUrl: settings.baseUrl,
    headers: settings.headers,
    redirect: 'manual',
    bodySerializer: asEncoded,
    pathSerializer: serializePath,
    fetch: (request) => {
      const call = new Call(core, request.method, { signal: request.signal }, true);
      call.begin();
      return call.race(call.exchange(request));
    },
  });
  const send = http.request as unknown as SendRequest;
  const sendEncoded: SendRequest = async (method, path, options = {}) => {
    const { bodySerializer = snapshotOf } = options;
    if (options.body === undefined || bodySerializer === asEncoded) return send(method, path, options);
    const headers = mergeHeaders(options.headers);
    const body = bodySerializer(options.body, headers);
    const ready = (await loadLater()).encodeOptions({ ...options, body }, headers, settings);
    return send(method, path, await ready);
  };
  // Those of the specification that have a body.
  return Object.assign(http, {
    request: sendEncoded,
    POST: sendEncoded.bind(null, 'post'),
    PATCH: sendEncoded.bind(null, 'patch'),
  }) as unknown as SpeechHttp;
}

/** A copy of an object, because its caller may change it while the encoder is loaded. */
const snapshotOf = (body: unknown): unknown => (kindOf(body) === 'Object' ? copyOf(body) : body);

/**
 * Fills in the parts of a path. Refuses what no encoding keeps in its place: nothing, `.` and `..` lead to another path,
 * where a DELETE may do harm.
 */
function serializePath(path: string, parts: Record<string, unknown>): string {
  for (const [field, value] of Object.entries(parts)) {
    if (typeof value === 'string' && !/^\.{0,2}$|\p{Surrogate}/u.test(value)) continue;
    const found = typeof value === 'string' ? JSON.stringify(value) : String(value);
    throw new RequestError(`${field} cannot be ${found}; pass the id as a text`, { field });
  }
  return defaultPathSerializer(path, parts);
}

/** A body as JSON, unless it holds binary or another media type is asked for. */
async function encode(
  body: object,
  contentType: BodyType | undefined,
  streams: boolean,
): Promise<EncodedBody> {
  const type = contentType ?? mediaTypes.json;
  if (type !== mediaTypes.json || holdsBinary(body)) {
    return (await loadLater()).encodeBody(body, contentType, streams);
  }
  return { body: JSON.stringify(body), headers: { 'content-type': type } };
}

/** Encodes and sends the request of a call through the middleware, and resolves to a success whose body is unread. */
export async function send(call: Call, sent: Sent): Promise<Response> {
  const { settings, http } = call.core;
  const { method, path, traced, body, contentType } = sent;
  const encoded = body && (await encode(body, contentType, settings.streamsUploads));
  const { operationId, options } = call;
  const describe = () => ({ operationId, method: method.toUpperCase(), path, baseUrl: settings.baseUrl });
  const span = call.begin(() => startSpan(options.trace ?? settings.trace, traced === true, describe));
  let own: Response | undefined;
  const request = http.request as unknown as SendRequest;
  const { response, error } = await request(method, path, {
    ...encoded,
    bodySerializer: asEncoded,
    // To a fetch of Node each further request that follows a signal costs a tenth of a call, and it gets the signal as
    // an option; an injected one may look at the request alone.
    ...(!settings.streamsUploads && { signal: call.signal }),
    parseAs: 'stream',
    fetch: async (made: Request) => {
      own = await call.exchange(made);
      return own;
    },
    params: { path: sent.pathParts, query: sent.query, header: sent.header },
    headers: {
      accept: sent.accept ?? mediaTypes.json,
      ...encoded?.headers,
      ...(traced && span && { [headerNames.traceparent]: span.traceparent }),
      ...options.headers,
    },
  });
  if (!response.ok) {
    const { createApiError, plainBody } = await loadLater();
    throw createApiError(operationId, response, plainBody(error, settings.redact), call.traceId);
  }
  // A middleware may have answered with a body of its own.
  return response === own ? response : guarded(call, response);
}

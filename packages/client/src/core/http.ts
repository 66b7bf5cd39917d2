import type { operations, paths } from '@speech-api/types';
import { headerNames, mediaTypes } from '@speech-api/types/constants';
import createClient, { type Client } from 'openapi-fetch';
import { createApiError } from '../api-error.ts';
import { type BodyType, copyOf, encodeBody, serializeBody } from '../encode.ts';
import { ConfigurationError, RequestError, SpeechError } from '../errors.ts';
import type { CallOptions } from '../options.ts';
import { type ClientSettings, cleanCallOptions, waitsOf } from '../settings.ts';
import { startSpan } from '../trace.ts';
import { openBody } from './body.ts';
import { Call, type Transport } from './call.ts';
import { createQueue } from './queue.ts';

/** The typed openapi-fetch client: every path of the specification, with the client's key, deadlines and queue. */
export type SpeechHttp = Client<paths>;

/** A promise of what a call gives, and with {@link CallPromise.withResponse} of the `Response` too. */
export interface CallPromise<Value> extends Promise<Value> {
  /** The result of the call with the service's `Response`, for its status and headers. */
  withResponse(): Promise<{ readonly data: Value; readonly response: Response }>;
}

/** One call of an operation: where it is sent, what goes into it, and what comes back. */
export interface Prepared<Value> {
  readonly operationId: keyof operations;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: keyof paths;
  /** The media type that is asked for. @defaultValue JSON */
  readonly accept?: string;
  /** Whether the operation takes `traceparent` (section 4.7). */
  readonly traced?: boolean;
  /** Whether the body may take as long as it likes as a whole, as speech does. */
  readonly endless?: boolean;
  readonly pathParts?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** How the body is encoded. @defaultValue MessagePack where it holds binary, else JSON */
  readonly contentType?: BodyType | undefined;
  /** Makes the value of a success, its body unread. The call ends when the body does. */
  readonly read: (call: Call, response: Response) => Value | Promise<Value>;
}

type Prepare<Value, Given, Options> = (given: Given, options: Options) => Promise<Prepared<Value>>;

export interface Core {
  readonly settings: ClientSettings;
  readonly http: SpeechHttp;
  /**
   * Makes a call. `prepare` gets a copy of what was given, as it is now, and checks it; whatever it throws is a
   * `RequestError` and nothing is sent.
   */
  call<Value, Given, Options extends CallOptions>(
    options: Options,
    given: Given,
    prepare: Prepare<Value, Given, Options>,
  ): CallPromise<Value>;
}

/** openapi-fetch without the types of its paths, which an operation by its descriptor cannot have. */
type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly response: Response; readonly error?: unknown }>;

const platform = ['Request', 'Response', 'Headers', 'ReadableStream'];

export function createCore(settings: ClientSettings): Core {
  const transport: Transport = {
    settings,
    queue: createQueue(settings.concurrency, settings.adaptConcurrency),
    forgotten: new FinalizationRegistry((call) => call.abandon()),
  };
  let made: SpeechHttp | undefined;
  // Whether a middleware or a fetch of the caller's may look at a request and its signal. To Node's own, each further
  // request that follows a signal costs a tenth of a call.
  let seen = !settings.streamsUploads;
  const http = (): SpeechHttp => {
    const lacking = platform.filter((name) => !(name in globalThis));
    if (lacking.length > 0) {
      throw new ConfigurationError(
        `${lacking.join(', ')} is missing here; the client needs the fetch API, which jsdom lacks`,
      );
    }
    // Made when it is needed: the first touch of `Request` costs 27 ms in Node.
    if (made) return made;
    made = createClient<paths>({
      baseUrl: settings.baseUrl,
      redirect: 'manual',
      bodySerializer: serializeBody,
      fetch: (request) => {
        const waits = waitsOf(settings, {}, true);
        return new Call(transport, { operationId: request.method, signal: request.signal, ...waits }).send(
          request,
        );
      },
    });
    const { use } = made;
    made.use = (...middleware) => {
      seen = true;
      use(...middleware);
    };
    return made;
  };

  async function run<Value, Given, Options extends CallOptions>(
    givenOptions: Options,
    given: Given,
    prepare: Prepare<Value, Given, Options>,
  ): Promise<{ data: Value; response: Response }> {
    // Both are copied before anything is waited for: the caller may use its objects for the next call.
    const options = cleanCallOptions(givenOptions);
    const [prepared, encoded] = await encodedOf(
      () => prepare(copyOf(given), options as Options),
      settings.streamsUploads,
    );
    const { operationId, method, path, accept = mediaTypes.json, traced, endless } = prepared;
    const span = startSpan(options.trace ?? settings.trace, traced === true, () => ({
      operationId,
      method: method.toUpperCase(),
      path,
      baseUrl: settings.baseUrl,
    }));
    const waits = waitsOf(settings, options, endless);
    const call = new Call(transport, { operationId, signal: options.signal, span, ...waits });
    const init = {
      ...encoded,
      ...(seen && { signal: call.signal }),
      // Of the answer nothing is needed but itself, and 'stream' would make a stream of every body.
      parseAs: 'valueOf',
      fetch: (request: Request) => call.send(request),
      params: { path: prepared.pathParts, query: prepared.query, header: prepared.header },
      headers: {
        accept,
        ...encoded?.headers,
        ...(traced && span && { [headerNames.traceparent]: span.traceparent }),
        ...options.headers,
      },
    };
    try {
      const send = http().request as unknown as Send;
      const { response, error } = await send(method, path, init);
      if (!response.ok) throw createApiError(operationId, response, error, call.traceId);
      // A middleware may have answered with its own body.
      openBody(call, response);
      return { data: await prepared.read(call, response), response };
    } catch (error) {
      // What a middleware throws stays what it is.
      if (SpeechError.isInstance(error)) throw call.end(error);
      call.abandon();
      throw error;
    }
  }

  return {
    settings,
    get http() {
      return http();
    },
    call(options, given, prepare) {
      const answer = run(options, given, prepare);
      const value = answer.then(({ data }) => data);
      const withResponse = () => {
        // Of whoever asks for both, a failure comes through the answer alone.
        value.catch(() => undefined);
        return answer;
      };
      return Object.assign(value, { withResponse });
    },
  };
}

async function encodedOf<Value>(prepare: () => Promise<Prepared<Value>>, streamsUploads: boolean) {
  try {
    const prepared = await prepare();
    const { body, contentType } = prepared;
    return [prepared, body && (await encodeBody(body, contentType, streamsUploads))] as const;
  } catch (cause) {
    if (SpeechError.isInstance(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RequestError(`the request cannot be sent: ${reason}`, { field: 'body', cause });
  }
}

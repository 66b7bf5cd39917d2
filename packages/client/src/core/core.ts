import type { operations, paths } from '@speech-api/types';
import { headerNames } from '@speech-api/types/constants';
import createClient, { type Client } from 'openapi-fetch';
import { createApiError } from '../errors/create-api-error.ts';
import type { CallOptions, Timeouts } from '../options.ts';
import type { ClientSettings } from '../settings.ts';
import { createTrace } from '../trace.ts';
import { Call } from './call.ts';
import { LazyRequest, PlainRequest } from './plain-request.ts';
import { createQueue } from './queue.ts';
import { readPieces } from './read-body.ts';
import { send, type Transport } from './transport.ts';
import { PartsBody } from './upload.ts';

/** The typed openapi-fetch client: every path of the specification, with the client's key, deadlines and queue. */
export type SpeechHttp = Client<paths>;

/** An answer that is a success, its body unread, and the call that goes on until it is. */
export interface Answer {
  readonly response: Response;
  readonly call: Call;
}

/** What a resource passes on to openapi-fetch beside its own parameters and body. */
export interface CallInit {
  readonly signal: AbortSignal;
  readonly parseAs: 'stream';
  readonly headers: Record<string, string>;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly Request: typeof Request;
  /** Hands an encoded body on; parts stay parts where nobody looks at the request before it is sent. */
  readonly sent: (body: string | FormData | PartsBody) => BodyInit;
}

/** How an operation is called. */
export interface CallKind {
  readonly operationId: keyof operations;
  /** The media type that is asked for. */
  readonly accept: string;
  /** Whether the operation takes `traceparent` (section 4.7). */
  readonly traced?: boolean;
  /** Whether the body may take as long as it likes as a whole, as speech does. */
  readonly endless?: boolean;
}

export interface Core {
  readonly settings: ClientSettings;
  readonly http: SpeechHttp;
  /** Calls an operation through openapi-fetch; throws an `ApiError` for an answer that is no success. */
  call(
    kind: CallKind,
    options: CallOptions,
    start: (init: CallInit) => Promise<{ response: Response; error?: unknown }>,
  ): Promise<Answer>;
}

export function createCore(settings: ClientSettings): Core {
  const transport: Transport = { settings, queue: createQueue(settings.concurrency) };
  const client = createClient<paths>({
    baseUrl: settings.baseUrl,
    headers: { authorization: `Bearer ${settings.apiKey}` },
    redirect: 'manual',
    Request: LazyRequest,
    fetch: (request) => fetchForHttp(transport, request),
  });
  let middleware = 0;
  const http: SpeechHttp = {
    ...client,
    use(...added) {
      client.use(...added);
      middleware += added.length;
    },
  };

  return {
    settings,
    http,
    async call({ operationId, accept, traced, endless }, options, start) {
      const trace = traced && (options.trace ?? settings.trace ?? createTrace());
      const traceparent = trace ? trace.traceparent() : undefined;
      const call = new Call({
        operationId,
        signal: options.signal,
        traceId: traceparent?.split('-')[1],
        timeouts: mergeTimeouts(endless, settings.timeouts, options.timeouts),
      });
      const retry = { ...settings.retry, ...options.retry };
      const init: CallInit = {
        signal: call.signal,
        parseAs: 'stream',
        headers: { accept, ...(traceparent && { traceparent }), ...options.headers },
        fetch: (request) => send(transport, request, call, retry),
        sent: (body) => (middleware > 0 && body instanceof PartsBody ? body.blob() : (body as BodyInit)),
        // A caller's middleware always sees a real Request.
        Request: middleware > 0 ? LazyRequest : (PlainRequest as unknown as typeof Request),
      };
      const { response, error } = await start(init).catch((failure: unknown) => {
        // A middleware may throw before anything is sent: then nothing else would end the call.
        call.abandon();
        throw failure;
      });
      call.traceId = response.headers.get(headerNames.traceId) ?? call.traceId;
      if (!response.ok) {
        call.finish();
        throw createApiError(operationId, response, error, call.traceId);
      }
      return { response, call };
    },
  };
}

/** For calls through `client.http`: openapi-fetch reads the body, so the deadlines go with it. */
async function fetchForHttp(transport: Transport, request: Request): Promise<Response> {
  const { settings } = transport;
  const call = new Call({
    operationId: request.method,
    signal: request.signal,
    timeouts: mergeTimeouts(true, settings.timeouts),
  });
  const response = await send(transport, request, call, settings.retry);
  if (!response.ok || !response.body) {
    call.finish();
    return response;
  }
  const pieces = readPieces(response, call);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (!done) return controller.enqueue(value);
      call.finish();
      controller.close();
    },
    async cancel() {
      call.abandon();
    },
  });
  return new Response(body, response);
}

function mergeTimeouts(endless: boolean | undefined, ...given: (Timeouts | undefined)[]): Required<Timeouts> {
  const total = endless ? Number.POSITIVE_INFINITY : 60_000;
  return Object.assign({ headers: 60_000, firstByte: 30_000, idle: 30_000, total }, ...given);
}

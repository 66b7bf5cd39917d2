import { headerNames } from '@speech-api/types/constants';
import { AbortError } from '../errors/abort-error.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import type { LogFields, Logger } from '../logger.ts';
import type { RetryOptions } from '../options.ts';
import type { ClientSettings } from '../settings.ts';
import type { Call } from './call.ts';
import { loggedHeaders } from './logged-headers.ts';
import { type AnyRequest, PlainRequest } from './plain-request.ts';
import type { Queue } from './queue.ts';
import { joinBytes, readPieces } from './read-body.ts';
import { redirectTarget } from './redirect.ts';
import { isRetryableStatus, retryDelay, sleep } from './retry.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { PartsBody } from './upload.ts';

/** The most of an error's body that is read, in bytes; a page of HTML says no more after that. */
const maximumErrorBytes = 64 * 1024;

/** What a client sends with, the same for all its calls. */
export interface Transport {
  readonly settings: ClientSettings;
  readonly queue: Queue;
}

/**
 * Sends one request, and again only where that is allowed, and resolves to its answer.
 *
 * The body of a success is left unread, and the call goes on until it is; that of an error is short and in memory.
 */
export async function send(
  { settings, queue }: Transport,
  request: AnyRequest,
  call: Call,
  retry: Required<RetryOptions>,
): Promise<Response> {
  const { method } = request;
  for (let attempt = 1; ; attempt += 1) {
    const log = (level: keyof Logger, message: string, fields: Partial<LogFields>, headers?: Headers): void =>
      settings.logger?.[level]?.(`speech-api ${message}`, {
        operationId: call.operationId,
        attempt,
        milliseconds: Date.now() - call.started,
        traceId: call.traceId,
        ...fields,
        ...(headers && { headers: loggedHeaders(headers) }),
      });
    let delay: number | undefined;
    const leave = await call.wait(async () => {
      const left = await queue.enter(call.signal);
      // Of a success the place is held until its body ends.
      call.onFinish(left);
      return left;
    });
    try {
      log('debug', 'request', {}, headersOf(request));
      const response = await fetchFollowing(settings, request, call, retry);
      const { ok, status, headers } = response;
      log('debug', 'response', { status }, headers);
      queue.learn(Number(headers.get(headerNames.concurrencyLimit)), status === 429);
      if (ok) return response;
      const { held, complete } = await holdErrorBody(response, call);
      // An error that broke off says less than it seems to: a call that may be billed is not sent again for it.
      if (isRetryableStatus(status) && !call.signal.aborted && (complete || method === 'GET')) {
        delay = retryDelay(retry, method, attempt - 1, retryAfterSeconds(headers));
      }
      if (delay === undefined) {
        call.finish();
        return held;
      }
    } catch (error) {
      log('warn', 'failure', { error: (error as Error).name });
      if (ConnectionError.isInstance(error)) delay = retryDelay(retry, method, attempt - 1, undefined);
      if (delay === undefined) {
        call.abandon();
        throw error;
      }
    }
    // While waiting to try again it is the next one's turn.
    leave();
    const milliseconds = delay;
    log('info', `waits ${Math.round(milliseconds)} ms to try again`, {});
    await call.wait(() => sleep(milliseconds, call.signal));
  }
}

/** The answer to a request, redirects within the same origin followed. */
async function fetchFollowing(
  settings: ClientSettings,
  request: AnyRequest,
  call: Call,
  retry: Required<RetryOptions>,
): Promise<Response> {
  let target = request;
  for (let hops = 0; ; hops += 1) {
    const current = target;
    const response = await call.wait(() => fetchOnce(settings, current, call, retry), 'headers');
    const next = redirectTarget(response, current, call, hops);
    if (next === undefined) return response;
    // Rejects where the body has failed already, which is as well.
    response.body?.cancel().catch(() => undefined);
    target =
      current instanceof PlainRequest ? new PlainRequest(next, current.init) : new Request(next, current);
  }
}

function fetchOnce(
  settings: ClientSettings,
  request: AnyRequest,
  call: Call,
  retry: Required<RetryOptions>,
): Promise<Response> {
  // Said again for the requests that a middleware made anew.
  const always = { signal: call.signal, redirect: 'manual' } as const;
  if (request instanceof PlainRequest) {
    return settings.fetch(request.url, { ...request.init, ...bodyOf(request, settings), ...always });
  }
  const mayRepeat = retry.retries > 0 && retry.methods.includes(request.method);
  return settings.fetch(mayRepeat && request.body !== null ? request.clone() : request, always);
}

/** Parts go as a stream of known length where the runtime takes one; elsewhere they are joined in a `Blob`. */
function bodyOf({ init }: PlainRequest, { streamsUploads }: ClientSettings): RequestInit {
  const body: unknown = init.body;
  if (!(body instanceof PartsBody)) return {};
  if (!streamsUploads) return { body: body.blob() };
  const headers = new Headers(init.headers);
  headers.set('content-length', String(body.byteLength));
  return { body: body.stream(), headers, duplex: 'half' } as RequestInit;
}

function headersOf(request: AnyRequest): Headers {
  return request instanceof PlainRequest ? (request.init.headers as Headers) : request.headers;
}

/** The same answer with what could be read of its body: the status matters more than how the body ended. */
async function holdErrorBody(response: Response, call: Call): Promise<{ held: Response; complete: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let complete = false;
  try {
    for await (const piece of readPieces(response, call)) {
      pieces.push(piece);
      length += piece.length;
      if (length >= maximumErrorBytes) break;
    }
    complete = true;
  } catch (error) {
    if (AbortError.isInstance(error)) throw error;
  }
  const { status, statusText, headers } = response;
  // A status that may have no body refuses even an empty one.
  const body = length === 0 ? null : joinBytes(pieces, length);
  return { held: new Response(body, { status, statusText, headers }), complete };
}

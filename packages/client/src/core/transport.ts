import { AbortError } from '../errors/abort-error.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { ProtocolError } from '../errors/protocol-error.ts';
import type { LogFields } from '../logger.ts';
import type { RetryOptions } from '../options.ts';
import type { ClientSettings } from '../settings.ts';
import type { Call } from './call.ts';
import { PlainRequest } from './plain-request.ts';
import type { Queue } from './queue.ts';
import { joinBytes, readPieces } from './read-body.ts';
import { isRetryableStatus, retryDelay, sleep } from './retry.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** The most of an error's body that is read, in bytes; a page of HTML says no more after that. */
const maximumErrorBytes = 64 * 1024;

/** What a client sends with, the same for all its calls. */
export interface Transport {
  readonly settings: ClientSettings;
  readonly queue: Queue;
}

type AnyRequest = Request | PlainRequest;

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
    const log = (level: 'debug' | 'warn', message: string, fields?: Partial<LogFields>): void =>
      settings.logger?.[level]?.(`speech-api ${message}`, {
        operationId: call.operationId,
        attempt,
        milliseconds: Date.now() - call.started,
        traceId: call.traceId,
        ...fields,
      });
    let delay: number | undefined;
    const leave = await call.wait(async () => {
      const left = await queue.enter(call.signal);
      // Of a success the place is held until its body ends.
      call.onFinish(left);
      return left;
    });
    try {
      log('debug', 'request');
      const response = await call.wait(() => fetchOnce(settings, request, call, retry), 'headers');
      const { ok, status, headers } = response;
      log('debug', 'response', { status });
      refuseRedirect(response, call);
      if (ok) return response;
      const complete = await holdErrorBody(response, call);
      if (isRetryableStatus(status) && !call.signal.aborted) {
        delay = retryDelay(retry, method, attempt - 1, retryAfterSeconds(headers));
      }
      if (delay === undefined) {
        call.finish();
        return complete;
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
    await call.wait(() => sleep(milliseconds, call.signal));
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
  if (request instanceof PlainRequest) return settings.fetch(request.url, { ...request.init, ...always });
  const mayRepeat = retry.retries > 0 && retry.methods.includes(request.method);
  return settings.fetch(mayRepeat && request.body !== null ? request.clone() : request, always);
}

/** Neither the key nor the text may travel to an address that the caller did not name. */
function refuseRedirect(response: Response, call: Call): void {
  const { status, type, redirected } = response;
  if (type !== 'opaqueredirect' && !redirected && (status < 300 || status > 399 || status === 304)) return;
  const location = response.headers.get('location') ?? '';
  const target = URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
  throw new ProtocolError(
    `${call.operationId}: the service redirects${target}, which is not followed; is baseUrl the right address?`,
    { status, traceId: call.traceId },
  );
}

/** The same answer with what could be read of its body: the status matters more than how the body ended. */
async function holdErrorBody(response: Response, call: Call): Promise<Response> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of readPieces(response, call)) {
      pieces.push(piece);
      length += piece.length;
      if (length >= maximumErrorBytes) break;
    }
  } catch (error) {
    if (AbortError.isInstance(error)) throw error;
  }
  const { status, statusText, headers } = response;
  // A status that may have no body refuses even an empty one.
  return new Response(length === 0 ? null : joinBytes(pieces, length), { status, statusText, headers });
}

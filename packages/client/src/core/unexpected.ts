import { createApiError, explain, parseError } from '../api-error.ts';
import type { ApiError } from '../service-errors.ts';
import type { Call } from './call.ts';
import { after } from './timer.ts';

// Answers that are not what was asked for: errors, other media types, redirects. Loaded with the first of them.

// An error's body is read up to this many bytes and milliseconds; a page of HTML says no more after that.
const maximumErrorBytes = 64 * 1024;
const errorBodyTime = 5000;

/**
 * The error of an answer that is not a success, or undefined if its body came to its end in good time and size, and can
 * be read from the answer as well.
 */
export async function cutError(call: Call, response: Response): Promise<ApiError | undefined> {
  const { text, complete } = await readText(call, response.clone());
  if (complete) return undefined;
  return createApiError(call.operationId, response, parseError(text), call.traceId);
}

/** The beginning of a text: its status matters more than how the body ended. Without the key. */
export async function readText(
  call: Call,
  response: Response,
): Promise<{ readonly text: string; readonly complete: boolean }> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  let complete = true;
  const stop = (): void => {
    complete = false;
    reader?.cancel().catch(() => undefined);
  };
  const stopTimer = after(Math.min(errorBodyTime, call.timeouts.idle), stop);
  try {
    for (let length = 0; reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      length += value.length;
      if (length >= maximumErrorBytes) stop();
    }
  } catch {
    if (call.failure) throw call.failure;
    complete = false;
  } finally {
    stopTimer();
  }
  return { text: call.core.settings.redact(text), complete };
}

/** An error that came as a success keeps what it says. */
export async function refuseMediaType(
  call: Call,
  response: Response,
  expected: string,
  found: string,
): Promise<never> {
  let said = '';
  if (/json|text/.test(found) && found !== 'text/event-stream') {
    said = explain(parseError((await readText(call, response)).text)) ?? '';
  }
  const words = said && `; it says: ${said}`;
  throw call.protocolError(`expected ${expected}, but got ${found || 'no media type'}${words}`);
}

/** More hops than this are a loop. */
const maximumRedirects = 5;

/**
 * The target of a redirected GET, or an error if it is not followed.
 *
 * A GET may move within the origin that the caller named. Anything else is an error, so that neither the key nor the
 * text travels to an address that the caller did not name.
 */
export function redirectTarget({ headers }: Response, request: Request, hops: number): string | Error {
  const location = headers.get('location') ?? '';
  const target = location && URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
  const stays = target?.origin === new URL(request.url).origin;
  if (stays && request.method === 'GET' && hops < maximumRedirects) return target.href;
  const place = target ? ` to ${target.origin}` : '';
  return new Error(`the service redirects${place}, which is not followed; is baseUrl the right address?`);
}

import type { Complete, RetryOptions } from '../options.ts';

/** Whether a complete answer of this status may be tried again. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * How long to wait before the next try, in milliseconds; undefined is: give up.
 *
 * Full jitter spreads clients that failed together; a service that asks for longer than we would ever wait gets
 * no further try, for an earlier one would be refused again.
 */
export function retryDelay(
  options: Complete<RetryOptions>,
  method: string,
  retriesDone: number,
  askedSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (retriesDone >= options.retries || !options.methods.includes(method)) return undefined;
  if (askedSeconds !== undefined) {
    const asked = askedSeconds * 1000;
    return asked <= options.maximumDelay ? asked : undefined;
  }
  return random() * Math.min(options.maximumDelay, options.minimumDelay * 2 ** retriesDone);
}

/** More hops than this are a loop. */
const maximumRedirects = 5;

/**
 * The target of a redirected GET: undefined if the answer is not a redirect, an error if it is not followed.
 *
 * A GET may move within the origin that the caller named. Anything else is an error, so that neither the key nor the
 * text travels to an address that the caller did not name.
 */
export function redirectTarget(
  { status, type, redirected, headers }: Response,
  request: Request,
  hops: number,
): string | Error | undefined {
  if (type !== 'opaqueredirect' && !redirected && (status < 300 || status > 399)) return undefined;
  const location = headers.get('location') ?? '';
  const target = location && URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
  const stays = target?.origin === new URL(request.url).origin;
  if (stays && request.method === 'GET' && hops < maximumRedirects) return target.href;
  const place = target ? ` to ${target.origin}` : '';
  return new Error(`the service redirects${place}, which is not followed; is baseUrl the right address?`);
}

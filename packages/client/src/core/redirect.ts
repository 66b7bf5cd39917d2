import { protocolError } from '../errors/protocol-error.ts';
import type { Call } from './call.ts';
import type { AnyRequest } from './plain-request.ts';

/** More hops than this are a loop. */
const mostRedirects = 5;

/**
 * Where a redirected GET goes on, or undefined when the answer is no redirect.
 *
 * A GET may move within the origin that the caller named. Anything else is an error, so that neither the key nor the
 * text travels to an address that the caller did not name.
 */
export function redirectTarget(
  response: Response,
  request: AnyRequest,
  call: Call,
  hops: number,
): string | undefined {
  const { status, type, redirected, headers } = response;
  if (type !== 'opaqueredirect' && !redirected && (status < 300 || status > 399 || status === 304)) {
    return undefined;
  }
  const location = headers.get('location') ?? '';
  const target = URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
  if (
    target?.origin === new URL(request.url).origin &&
    location !== '' &&
    request.method === 'GET' &&
    hops < mostRedirects
  ) {
    return target.href;
  }
  const place = target && location ? ` to ${target.origin}` : '';
  const hint = 'which is not followed; is baseUrl the right address?';
  throw protocolError({ response, call }, `the service redirects${place}, ${hint}`);
}

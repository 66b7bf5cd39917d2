import type { ValidationIssue } from '@speech-api/types';
import { headerNames } from '@speech-api/types/constants';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  InsufficientCreditError,
  InvalidRequestError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ServerError,
  TooManyRequestsError,
  UnsupportedMediaTypeError,
} from './service-errors.ts';

// Parses the bodies of errors.

const classes: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: InsufficientCreditError,
  403: PermissionDeniedError,
  404: NotFoundError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: InvalidRequestError,
  429: TooManyRequestsError,
};

const maximumCharacters = 300;

/**
 * A foreign text made fit for an error message: markup and repeated white space removed, cut to 300
 * characters. The text stays a stranger's: show it, never act on it.
 */
export function shorten(text: string): string {
  // Cut before matching too: a megabyte of `<` must not cost a megabyte of scanning for each.
  const plain = text
    .slice(0, 4000)
    .replace(/<(script|style)\b[^<]*/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > maximumCharacters ? `${plain.slice(0, maximumCharacters)}…` : plain;
}

/** The body of an error: parsed where it is JSON, else its text. */
export function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Seconds to wait by the header `retry-after`, in either of its forms; undefined without one. A date is read against the
 * clock of the service, which may differ from ours.
 */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get(headerNames.retryAfter)?.trim() ?? '';
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  // A date begins with its weekday: without the check `Date.parse` reads a year into `-5`. Without a zone it is in UTC.
  const zone = /GMT$/i.test(value) ? '' : ' GMT';
  const date = /^[a-z]{3}/i.test(value) ? (Date.parse(value + zone) - now) / 1000 : Number.NaN;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : date;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/**
 * The error for a response that is not a success.
 *
 * The body is read by its shape at every status: services differ in which of the documented bodies they
 * send where, and a gateway in between may answer plain text, HTML or nothing.
 */
export function createApiError(
  operationId: string,
  response: Pick<Response, 'status' | 'headers' | 'url'>,
  body: unknown,
  traceId: string | undefined,
): ApiError {
  const { status, headers } = response;
  const context = {
    status,
    operationId,
    headers,
    body: typeof body === 'string' ? shorten(body) : body,
    issues: readIssues(body),
    traceId,
    retryAfterSeconds: retryAfterSeconds(headers),
  };
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : ApiError);
  const reason = explain(body) ?? 'with an unexplained body';
  // An HTML page instead of the service's answer usually means that the base URL is wrong.
  const address =
    status === 404 && typeof body === 'string' && URL.canParse(response.url) && new URL(response.url);
  const place = address ? ` (from ${address.origin}${address.pathname})` : '';
  return new ErrorClass(`${operationId}: ${status} ${reason}${place}`, context);
}

/**
 * The validation list, as the service sends it or, as frameworks do, under `detail` or `errors`. Without the `input` that they echo:
 * it is the text to speak, and errors are often logged whole.
 */
function readIssues(body: unknown): readonly ValidationIssue[] {
  const { detail, errors } = (body ?? {}) as { detail?: unknown; errors?: unknown };
  const list = [body, detail, errors].find(Array.isArray) ?? [];
  return list
    .filter((entry) => typeof entry === 'object' && entry !== null && ('msg' in entry || 'loc' in entry))
    .map(({ input: _, ...issue }) => issue);
}

// Fields in which services, gateways and frameworks describe an error, the most informative first.
const tellingFields = ['message', 'msg', 'detail', 'error_description', 'error', 'errors', 'reason', 'title'];

/** The message in an error body, in the words of its sender; undefined if there is none. */
export function explain(body: unknown, depth = 0): string | undefined {
  if (typeof body === 'string') return shorten(body) || undefined;
  if (typeof body !== 'object' || body === null || depth > 4) return undefined;
  if (Array.isArray(body)) {
    const reasons = body.slice(0, 20).flatMap((entry) => explain(entry, depth + 1) ?? []);
    return explain(reasons.join('; '));
  }
  const fields = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of tellingFields) {
    const reason = explain(fields.get(name), depth + 1);
    if (reason === undefined) continue;
    const place = [fields.get('loc') ?? []].flat().filter((step) => typeof step !== 'object');
    return place.length > 0 ? `${place.join('.')}: ${reason}` : reason;
  }
  return undefined;
}

import type { ValidationIssue } from '@speech-api/types';
import { retryAfterSeconds } from '../core/retry-after.ts';
import { shorten } from '../core/shorten.ts';
import { ApiError, type ApiErrorContext } from './api-error.ts';
import { AuthenticationError } from './authentication-error.ts';
import { BadRequestError } from './bad-request-error.ts';
import { InsufficientCreditError } from './insufficient-credit-error.ts';
import { InvalidRequestError } from './invalid-request-error.ts';
import { NotFoundError } from './not-found-error.ts';
import { PayloadTooLargeError } from './payload-too-large-error.ts';
import { PermissionDeniedError } from './permission-denied-error.ts';
import { ServerError } from './server-error.ts';
import { TooManyRequestsError } from './too-many-requests-error.ts';
import { UnsupportedMediaTypeError } from './unsupported-media-type-error.ts';

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

/**
 * The error for an answer that is no success.
 *
 * The body is read by its shape at every status: services differ in which of the bodies of section 7 they
 * send where, and a gateway in between may answer plain text, HTML or nothing.
 */
export function createApiError(
  operationId: string,
  response: Response,
  body: unknown,
  traceId: string | undefined,
): ApiError {
  const { status, headers } = response;
  const issues = readIssues(body);
  const context: ApiErrorContext = {
    status,
    operationId,
    headers,
    body: typeof body === 'string' ? shorten(body) : body,
    issues,
    traceId,
    retryAfterSeconds: retryAfterSeconds(headers),
  };
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : ApiError);
  return new ErrorClass(`${operationId}: ${status} ${describe(body, issues)}`, context);
}

function readIssues(body: unknown): readonly ValidationIssue[] {
  if (!Array.isArray(body)) return [];
  return body.filter(
    (entry) => typeof entry === 'object' && entry !== null && ('msg' in entry || 'loc' in entry),
  );
}

function describe(body: unknown, issues: readonly ValidationIssue[]): string {
  if (issues.length > 0) {
    return shorten(issues.map(({ loc, msg }) => `${[loc ?? []].flat().join('.')}: ${msg}`).join('; '));
  }
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : body;
  return typeof message === 'string' && message.trim() !== '' ? shorten(message) : 'with an unexplained body';
}

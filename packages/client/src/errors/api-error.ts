import type { ValidationIssue } from '@speech-api/types';
import { SpeechError } from './speech-error.ts';

/** Everything an {@link ApiError} is made of. */
export interface ApiErrorContext {
  readonly status: number;
  readonly operationId: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly issues: readonly ValidationIssue[];
  readonly traceId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/**
 * The service refused the call or failed at it. The class tells the status: {@link BadRequestError} 400,
 * {@link AuthenticationError} 401 and so on; a status without a class of its own is a plain `ApiError`.
 */
export class ApiError extends SpeechError {
  static override readonly kind: string = 'ApiError';

  /** HTTP status of the answer. */
  readonly status: number;
  /** The operation of the specification that was called, such as `createSpeech`. */
  readonly operationId: string;
  /** The trace id of the call, 32 hex digits, worth quoting to support. */
  readonly traceId: string | undefined;
  /** The single complaints, whenever the validation list of section 7 came; else empty. */
  readonly issues: readonly ValidationIssue[];
  /** How long the service asks to wait, in seconds, when it said so. */
  readonly retryAfterSeconds: number | undefined;
  /** The body as it came: parsed where it was JSON, else its first characters. Never trust its text. */
  readonly body: unknown;
  /** The headers of the answer. */
  declare readonly headers: Headers;

  constructor(message: string, context: ApiErrorContext) {
    super(message);
    this.status = context.status;
    this.operationId = context.operationId;
    this.traceId = context.traceId;
    this.issues = context.issues;
    this.retryAfterSeconds = context.retryAfterSeconds;
    this.body = context.body;
    // Not enumerable: a server may echo anything in its headers, and errors get logged whole.
    Object.defineProperty(this, 'headers', { value: context.headers });
  }
}

import type { ValidationIssue, VoiceModel } from '@speech-api/types';
import { type ErrorGuard, guard, SpeechError } from './errors.ts';

// Errors in the service's answers.

/**
 * The service refused the call or failed at it. The class tells the status: {@link BadRequestError} 400,
 * {@link AuthenticationError} 401 and so on; a status without a class of its own is a plain `ApiError`.
 */
export class ApiError extends SpeechError {
  static override readonly isInstance: ErrorGuard<ApiError> = guard('ApiError');

  /** HTTP status of the answer. */
  readonly status: number;
  /** The operation of the specification that was called, such as `createSpeech`. */
  readonly operationId: string;
  /** The trace id of the call, 32 hex digits, worth quoting to support. */
  readonly traceId: string | undefined;
  /** The single complaints, whenever a validation list came; else empty. */
  readonly issues: readonly ValidationIssue[];
  /** Time in seconds that the service asks to wait; undefined if it does not say. */
  readonly retryAfterSeconds: number | undefined;
  // Private: a server may echo anything in them, including the text to speak, and errors are often logged whole.
  readonly #body: unknown;
  readonly #headers: Headers;

  constructor(message: string, context: Omit<ApiError, keyof SpeechError>) {
    super(message);
    this.status = context.status;
    this.operationId = context.operationId;
    this.traceId = context.traceId;
    this.issues = context.issues;
    this.retryAfterSeconds = context.retryAfterSeconds;
    this.#body = context.body;
    this.#headers = context.headers;
  }

  /** The body: parsed where it was JSON, else its first characters. Never trust its text. Loggers do not see it. */
  get body(): unknown {
    return this.#body;
  }

  /** The headers of the answer. Loggers do not see them. */
  get headers(): Headers {
    return this.#headers;
  }
}

/** 400: the request is well-formed, but its values do not exist or cannot be combined, such as a voice that is unknown. */
export class BadRequestError extends ApiError {
  static override readonly isInstance: ErrorGuard<BadRequestError> = guard('BadRequestError');
  declare readonly name: 'BadRequestError';
}

/** 401: the API key is missing or unknown. */
export class AuthenticationError extends ApiError {
  static override readonly isInstance: ErrorGuard<AuthenticationError> = guard('AuthenticationError');
  declare readonly name: 'AuthenticationError';
}

/** 402: the account has no credit left for this call. */
export class InsufficientCreditError extends ApiError {
  static override readonly isInstance: ErrorGuard<InsufficientCreditError> = guard('InsufficientCreditError');
  declare readonly name: 'InsufficientCreditError';
}

/** 403: the key may not do this, for example read a private model of another account. */
export class PermissionDeniedError extends ApiError {
  static override readonly isInstance: ErrorGuard<PermissionDeniedError> = guard('PermissionDeniedError');
  declare readonly name: 'PermissionDeniedError';
}

/** 404: there is no such model, user or path. */
export class NotFoundError extends ApiError {
  static override readonly isInstance: ErrorGuard<NotFoundError> = guard('NotFoundError');
  declare readonly name: 'NotFoundError';
}

/** 413: the request body or the file in it is larger than the service accepts. */
export class PayloadTooLargeError extends ApiError {
  static override readonly isInstance: ErrorGuard<PayloadTooLargeError> = guard('PayloadTooLargeError');
  declare readonly name: 'PayloadTooLargeError';
}

/** 415: the operation does not take a body of this media type. */
export class UnsupportedMediaTypeError extends ApiError {
  static override readonly isInstance: ErrorGuard<UnsupportedMediaTypeError> =
    guard('UnsupportedMediaTypeError');
  declare readonly name: 'UnsupportedMediaTypeError';
}

/** 422: the request breaks the schema; {@link ApiError.issues} names each field and what is wrong with it. */
export class InvalidRequestError extends ApiError {
  static override readonly isInstance: ErrorGuard<InvalidRequestError> = guard('InvalidRequestError');
  declare readonly name: 'InvalidRequestError';
}

/** 429: more requests run at once than the account allows; see the option `concurrency`. */
export class TooManyRequestsError extends ApiError {
  static override readonly isInstance: ErrorGuard<TooManyRequestsError> = guard('TooManyRequestsError');
  declare readonly name: 'TooManyRequestsError';
}

/** 5xx and above: the service, or a gateway in front of it, failed or is overloaded. */
export class ServerError extends ApiError {
  static override readonly isInstance: ErrorGuard<ServerError> = guard('ServerError');
  declare readonly name: 'ServerError';
}

/** The training of a voice model failed; waiting longer does not help. */
export class TrainingError extends SpeechError {
  static override readonly isInstance: ErrorGuard<TrainingError> = guard('TrainingError');
  declare readonly name: 'TrainingError';

  /** The voice model as it was read last. */
  readonly model: VoiceModel;

  constructor(model: VoiceModel) {
    super(`the training of the voice model ${model._id} failed`);
    this.model = model;
  }
}

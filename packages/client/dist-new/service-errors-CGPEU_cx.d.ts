import { ValidationIssue, VoiceModel } from '@speech-api/types';

/** Type guard for an error class; needs no `this`, so it can be passed on as a function. */
type ErrorGuard<Instance> = (value: unknown) => value is Instance;
/**
 * Base class of all errors of the client.
 *
 * No error holds the API key, the text to speak or audio, so each may be logged as it is.
 */
declare abstract class SpeechError extends Error {
	/**
	 * True if `value` is an error of this class or of a subclass, even one made by another copy of the package,
	 * for which `instanceof` returns false.
	 *
	 * @example
	 * ```ts
	 * import { createSpeechClient, NotFoundError } from '@speech-api/client';
	 *
	 * try {
	 *   await createSpeechClient().models.get('nobody');
	 * } catch (error) {
	 *   if (NotFoundError.isInstance(error)) console.log(error.code, error.status, error.traceId);
	 *   else throw error;
	 * }
	 * ```
	 */
	static readonly isInstance: ErrorGuard<SpeechError>;
	readonly name: string;
	/** Names the class for programs and dashboards and never changes: `timeout`, `not_found`, `too_many_requests`. */
	readonly code: string;
	/** Link to the documentation of this error and its remedy: a URL, or a path if the site has no address. */
	readonly documentation: string;
	constructor(message: string, options?: ErrorOptions);
	/** The JSON form, including the name and the message, which `JSON.stringify` leaves out of other errors. */
	toJSON(): object;
}
/** `createSpeechClient` was called with settings that cannot work; the message names the option and the variable. */
declare class ConfigurationError extends SpeechError {
	static readonly isInstance: ErrorGuard<ConfigurationError>;
	readonly name: 'ConfigurationError';
}
/** Details of a refused request. */
interface RequestErrorContext {
	/** The field at fault, as it is named on the wire: `sample_rate`, `prosody.speed`, or `model` for the header. */
	readonly field: string;
	/** The id of the rule of the specification that is broken, where there is one. */
	readonly rule?: string | undefined;
	readonly cause?: unknown;
}
/** The request cannot succeed, so it was refused here: nothing was sent and nothing is billed. */
declare class RequestError extends SpeechError {
	static readonly isInstance: ErrorGuard<RequestError>;
	readonly name: 'RequestError';
	/** The field at fault, as it is named on the wire: `sample_rate`, `prosody.speed`, or `model` for the header. */
	readonly field: string;
	/** The id of the rule of the specification that is broken, where there is one. */
	readonly rule: string | undefined;
	constructor(message: string, context: RequestErrorContext);
}
/**
 * The service could not be reached, or the connection broke before the answer was complete.
 *
 * `cause` is the error of `fetch`. For a POST it is unknown whether the service did (and billed) the work.
 */
declare class ConnectionError extends SpeechError {
	static readonly isInstance: ErrorGuard<ConnectionError>;
	readonly name: 'ConnectionError';
}
/** The caller ended the call, by its signal or with `cancel()`. `cause` is the reason the signal was given. */
declare class AbortError extends SpeechError {
	static readonly isInstance: ErrorGuard<AbortError>;
	readonly name: 'AbortError';
	constructor(cause?: unknown);
}
/** The phase of a call that timed out. */
type TimeoutPhase = keyof typeof waitedFor;
declare const waitedFor: {
	readonly queue: 'no place among the calls that may run at once';
	readonly headers: 'no response headers';
	readonly firstByte: 'no first byte of the body';
	readonly idle: 'no further bytes';
	readonly total: 'no complete answer';
	readonly training: 'no trained voice model';
};
/** A deadline passed; {@link TimeoutError.phase} tells which. The connection was closed. */
declare class TimeoutError extends SpeechError {
	static readonly isInstance: ErrorGuard<TimeoutError>;
	readonly name: 'TimeoutError';
	/**
	 * The phase that timed out: waiting for a place in the queue, the response headers, the first byte of the
	 * body, its next bytes, the whole call, or a training.
	 */
	readonly phase: TimeoutPhase;
	/** The deadline that passed, in milliseconds. */
	readonly milliseconds: number;
	constructor(phase: TimeoutPhase, milliseconds: number);
}
/** Details of an invalid answer. */
interface ProtocolErrorContext {
	readonly cause?: unknown;
	/** HTTP status of the answer. */
	readonly status?: number | undefined;
	/** The trace id of the call, 32 hex digits. */
	readonly traceId?: string | undefined;
	/** The answer as it was parsed. */
	readonly body?: unknown;
}
/**
 * The service answered, but not with what its specification promises: HTML where audio was asked for, a
 * redirect, an empty clip, half a sample, a malformed event.
 */
declare class ProtocolError extends SpeechError {
	#private;
	static readonly isInstance: ErrorGuard<ProtocolError>;
	readonly name: 'ProtocolError';
	/** HTTP status of the answer. */
	readonly status: number | undefined;
	/** The trace id of the call, 32 hex digits, worth quoting to support. */
	readonly traceId: string | undefined;
	constructor(message: string, context?: ProtocolErrorContext);
	/** The parsed body of a JSON answer that lacks a field, so that nothing paid for is lost; otherwise undefined. */
	get body(): unknown;
}

/** Everything an {@link ApiError} is made of. */
interface ApiErrorContext {
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
declare class ApiError extends SpeechError {
	#private;
	static readonly isInstance: ErrorGuard<ApiError>;
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
	constructor(message: string, context: ApiErrorContext);
	/** The body: parsed where it was JSON, else its first characters. Never trust its text. Loggers do not see it. */
	get body(): unknown;
	/** The headers of the answer. Loggers do not see them. */
	get headers(): Headers;
}
/** 400: the request is well-formed, but what it asks for does not exist or go together, such as a voice that is unknown. */
declare class BadRequestError extends ApiError {
	static readonly isInstance: ErrorGuard<BadRequestError>;
	readonly name: 'BadRequestError';
}
/** 401: the API key is missing or unknown. */
declare class AuthenticationError extends ApiError {
	static readonly isInstance: ErrorGuard<AuthenticationError>;
	readonly name: 'AuthenticationError';
}
/** 402: the account has no credit left for this call. */
declare class InsufficientCreditError extends ApiError {
	static readonly isInstance: ErrorGuard<InsufficientCreditError>;
	readonly name: 'InsufficientCreditError';
}
/** 403: the key may not do this, for example read a private model of another account. */
declare class PermissionDeniedError extends ApiError {
	static readonly isInstance: ErrorGuard<PermissionDeniedError>;
	readonly name: 'PermissionDeniedError';
}
/** 404: there is no such model, user or path. */
declare class NotFoundError extends ApiError {
	static readonly isInstance: ErrorGuard<NotFoundError>;
	readonly name: 'NotFoundError';
}
/** 413: the request body or the file in it is larger than the service accepts. */
declare class PayloadTooLargeError extends ApiError {
	static readonly isInstance: ErrorGuard<PayloadTooLargeError>;
	readonly name: 'PayloadTooLargeError';
}
/** 415: the operation does not take a body of this media type. */
declare class UnsupportedMediaTypeError extends ApiError {
	static readonly isInstance: ErrorGuard<UnsupportedMediaTypeError>;
	readonly name: 'UnsupportedMediaTypeError';
}
/** 422: the request breaks the schema; {@link ApiError.issues} names each field and what is wrong with it. */
declare class InvalidRequestError extends ApiError {
	static readonly isInstance: ErrorGuard<InvalidRequestError>;
	readonly name: 'InvalidRequestError';
}
/** 429: more requests run at once than the account allows; see the option `concurrency`. */
declare class TooManyRequestsError extends ApiError {
	static readonly isInstance: ErrorGuard<TooManyRequestsError>;
	readonly name: 'TooManyRequestsError';
}
/** 5xx and above: the service, or a gateway in front of it, failed or is overloaded. */
declare class ServerError extends ApiError {
	static readonly isInstance: ErrorGuard<ServerError>;
	readonly name: 'ServerError';
}
/** The training of a voice model failed; waiting longer does not help. */
declare class TrainingError extends SpeechError {
	static readonly isInstance: ErrorGuard<TrainingError>;
	readonly name: 'TrainingError';
	/** The voice model as it was read last. */
	readonly model: VoiceModel;
	constructor(model: VoiceModel);
}

export { ApiError as A, BadRequestError as B, ConfigurationError as C, InsufficientCreditError as I, NotFoundError as N, PayloadTooLargeError as P, RequestError as R, SpeechError as S, TimeoutError as T, UnsupportedMediaTypeError as U, AbortError as a, AuthenticationError as b, ConnectionError as c, InvalidRequestError as d, PermissionDeniedError as e, ProtocolError as f, ServerError as g, TooManyRequestsError as i, TrainingError as j };
export type { ErrorGuard as E, TimeoutPhase as h };

import { SpeechError } from './speech-error.ts';

/** What came instead of the answer. */
export interface ProtocolErrorContext {
  readonly cause?: unknown;
  /** HTTP status of the answer. */
  readonly status?: number | undefined;
  /** The trace id of the call, 32 hex digits. */
  readonly traceId?: string | undefined;
}

/**
 * The service answered, but not with what its specification promises: HTML where audio was asked for, a
 * redirect, an empty clip, half a sample, a malformed event.
 */
export class ProtocolError extends SpeechError {
  static override readonly kind: string = 'ProtocolError';
  declare readonly name: 'ProtocolError';

  /** HTTP status of the answer. */
  readonly status: number | undefined;
  /** The trace id of the call, 32 hex digits, worth quoting to support. */
  readonly traceId: string | undefined;

  constructor(message: string, context: ProtocolErrorContext = {}) {
    super(message, 'cause' in context ? { cause: context.cause } : undefined);
    this.status = context.status;
    this.traceId = context.traceId;
  }
}

/** The error for an answer whose body is wrong; `cause` is left out where there is none. */
export function protocolError(
  {
    call,
    response,
  }: { readonly call: { operationId: string; traceId: string | undefined }; readonly response: Response },
  message: string,
  cause?: unknown,
): ProtocolError {
  return new ProtocolError(`${call.operationId}: ${message}`, {
    status: response.status,
    traceId: call.traceId,
    ...(cause !== undefined && { cause }),
  });
}

import { APICallError, InvalidArgumentError, LoadSettingError } from '@ai-sdk/provider';
import { AbortError, ApiError, ConfigurationError, RequestError, SpeechError } from '@speech-api/client';
import { headerNames } from '@speech-api/types/constants';

/** The name under which provider options and metadata are kept. */
export const providerName = 'speechApi';

/** Details of a call that its errors contain. */
export interface CallDescription {
  readonly abortSignal?: AbortSignal | undefined;
  /** Address of the HTTP API. */
  readonly url?: string;
  readonly modelId?: string;
}

/**
 * Turns an error of the client into one of the `ai` package; the client's own error is its `cause`.
 *
 * No error is marked as retryable: calls are billed, and `ai` would send a retryable one twice more by default. To
 * retry, set `retry.methods` of the client.
 */
export function toProviderError(error: unknown, call: CallDescription): unknown {
  if (!SpeechError.isInstance(error)) return error;
  // `ai` recognises an abort by what the signal was given, as `fetch` throws it.
  if (AbortError.isInstance(error)) return call.abortSignal?.aborted ? call.abortSignal.reason : error;
  const { message } = error;
  if (ConfigurationError.isInstance(error)) return new LoadSettingError({ message });
  if (RequestError.isInstance(error)) {
    return new InvalidArgumentError({ argument: error.field ?? 'request', message, cause: error });
  }
  const shared = {
    message,
    url: call.url ?? '',
    // The text and the audio stay out of errors, which get logged.
    requestBodyValues: { model: call.modelId },
    isRetryable: false,
    cause: error,
  };
  if (!ApiError.isInstance(error)) return new APICallError(shared);
  const { status, headers, body } = error;
  const refusal = new APICallError({
    ...shared,
    statusCode: status,
    responseHeaders: shownHeaders(headers),
    responseBody: typeof body === 'string' ? body : JSON.stringify(body ?? null),
    data: body,
  });
  // Services echo the text to speak in them, and errors get logged whole.
  for (const name of ['responseBody', 'data']) Object.defineProperty(refusal, name, { enumerable: false });
  return refusal;
}

// An allow-list: a server may echo anything in its headers, the key too.
const shownNames = new Set<string>([
  'content-type',
  'retry-after',
  headerNames.concurrencyLimit,
  headerNames.concurrencyInUse,
]);

/** The headers of an answer that are handed out. */
export function shownHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => shownNames.has(name)));
}

/** The headers that have a value. */
export function definedHeaders(headers: Record<string, string | undefined> = {}): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) defined[name] = value;
  return defined;
}

import { headerNames } from '@speech-api/types/constants';
import { shorten } from './shorten.ts';

// What may be shown, never what may not: a header of tomorrow stays unseen.
const shownHeaders = [
  'accept',
  'content-type',
  'content-length',
  headerNames.model,
  headerNames.traceparent,
  headerNames.traceId,
  headerNames.concurrencyLimit,
  headerNames.concurrencyInUse,
  headerNames.retryAfter,
];

/** The headers that may be written to a log. */
export function loggedHeaders(headers: Headers): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name of shownHeaders) {
    const value = headers.get(name);
    if (value !== null) shown[name] = shorten(value);
  }
  return shown;
}

import { headerNames } from '@speech-api/types';

/** Seconds to wait by the header `retry-after`, in either of its forms (seconds or a date); undefined without one. */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get(headerNames.retryAfter);
  if (value === null) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

import { headerNames } from '@speech-api/types/constants';

/** Seconds to wait by the header `retry-after`, in either of its forms (seconds or a date); undefined without one. */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get(headerNames.retryAfter)?.trim() ?? '';
  // A date begins with its weekday: without the check `Date.parse` reads a year into `-5`.
  const date = /^[a-z]{3}/i.test(value) ? (Date.parse(value) - now) / 1000 : Number.NaN;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : date;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

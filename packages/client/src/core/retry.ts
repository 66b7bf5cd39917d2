import { headerNames } from '@speech-api/types/constants';

/** True if a complete answer with this status may be retried. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Time in milliseconds to wait before the next try; undefined means give up.
 *
 * Full jitter spreads clients that failed together; a service that asks for longer than we would ever wait gets
 * no further try, for an earlier one would be refused again.
 */
export function retryDelay(
  options: Readonly<Record<'retries' | 'minimumDelay' | 'maximumDelay', number>>,
  retriesDone: number,
  askedSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  if (retriesDone >= options.retries) return undefined;
  if (askedSeconds !== undefined) {
    const asked = askedSeconds * 1000;
    return asked <= options.maximumDelay ? asked : undefined;
  }
  return random() * Math.min(options.maximumDelay, options.minimumDelay * 2 ** retriesDone);
}

/** Seconds to wait by the header `retry-after`, in either of its forms (seconds or a date); undefined without one. */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get(headerNames.retryAfter)?.trim() ?? '';
  // A date begins with its weekday: without the check `Date.parse` reads a year into `-5`.
  const date = /^[a-z]{3}/i.test(value) ? (Date.parse(value) - now) / 1000 : Number.NaN;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : date;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

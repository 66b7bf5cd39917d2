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

import { setTimeout as sleep } from 'node:timers/promises';
import { type Faults, type FaultyResponse, sendJson } from '@speech-api/server';
import { headerNames } from '@speech-api/types';

/** Statuses that ask the caller to come again. */
const passing: readonly number[] = [429, 503];

/**
 * Lets an answer go wrong.
 *
 * @returns whether it is answered with that, so that the operation must not run
 */
export async function strike(
  faults: Faults,
  response: FaultyResponse,
  signal: AbortSignal,
): Promise<boolean> {
  const { status, delayMilliseconds } = faults;
  if (delayMilliseconds !== undefined) await sleep(delayMilliseconds, undefined, { signal });
  response.misbehave(faults);
  if (status === undefined) return false;
  const headers: Record<string, string> = passing.includes(status) ? { [headerNames.retryAfter]: '1' } : {};
  sendJson(response, status, { status, message: `The mock was asked to answer ${status}.` }, headers);
  return true;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Faults, type FaultyResponse, sendJson } from '@speech-api/server';
import { headerNames } from '@speech-api/types';
import type { CallRecorder } from '../recent-calls.ts';

/**
 * Lets an answer go wrong.
 *
 * @returns whether it is answered with that, so that the operation must not run
 */
export async function strike(
  faults: Faults,
  response: FaultyResponse,
  { signal, recorder }: { readonly signal: AbortSignal; readonly recorder: CallRecorder },
): Promise<boolean> {
  const { status, delayMilliseconds } = faults;
  if (delayMilliseconds !== undefined) await sleep(delayMilliseconds, undefined, { signal });
  response.misbehave(faults);
  recorder.remark(`Chaos: ${wordsFor(faults)}.`);
  if (status === undefined) return false;
  const message = `The sandbox was asked to answer ${status}.`;
  const headers: Record<string, string> =
    status === 429 || status === 503 ? { [headerNames.retryAfter]: '1' } : {};
  sendJson(response, status, { status, message }, headers);
  return true;
}

function wordsFor({
  status,
  delayMilliseconds,
  cutAfterBytes,
  dripBytesPerSecond,
  malformedEvent,
}: Faults): string {
  const words = { status, delayMilliseconds, cutAfterBytes, dripBytesPerSecond, malformedEvent };
  return Object.entries(words)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

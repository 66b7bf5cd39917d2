import type { SpeechClient } from '@speech-api/client';
import { type FinishedPart, partsOf, withParts } from './errors.ts';

/** Maximum number of concurrent calls of a job: the option, within the client's own limit. */
export function limitOf(client: SpeechClient, jobs: number): number {
  if (!(Number.isInteger(jobs) && jobs >= 1))
    throw new RangeError(`jobs is ${jobs}; use a whole number from 1`);
  return Math.min(jobs, client.settings.concurrency);
}

/**
 * Sends the parts of a job, some at a time, and gives the results in the order of the parts. When one fails, nothing new starts;
 * those under way are billed, so they finish and are on `error.parts`. Leaving the loop aborts them.
 *
 * @param cut - Gives the parts, until its signal aborts.
 */
export async function* runParts<Part, Result extends FinishedPart>(
  cut: (signal: AbortSignal) => AsyncIterable<Part> | Iterable<Part>,
  limit: number,
  outer: AbortSignal | undefined,
  send: (part: Part, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const stop = new AbortController();
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
  const parts = cut(signal);
  const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  const started: Promise<Result>[] = [];
  let mayStart = true;
  let next: Promise<IteratorResult<Part>> | undefined;
  try {
    for (;;) {
      // A finished result that waits for its turn takes memory, so it counts.
      if (mayStart && started.length < limit) next ??= Promise.resolve(iterator.next());
      const turn = started[0]?.then((result) => ({ result }));
      if (turn === undefined && next === undefined) return;
      const event = await Promise.race([turn, next].filter((awaited) => awaited !== undefined));
      if ('result' in event) {
        started.shift();
        yield event.result;
        continue;
      }
      next = undefined;
      if (event.done) mayStart = false;
      if (!mayStart) continue;
      outer?.throwIfAborted();
      const result = send(event.value, signal);
      result.catch(() => {
        mayStart = false;
      });
      started.push(result);
    }
  } catch (error) {
    const others = await Promise.allSettled(started);
    const finished = others.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    throw withParts(error, [...partsOf(error), ...finished]);
  } finally {
    stop.abort();
    await Promise.allSettled(started);
    await iterator.return?.();
  }
}

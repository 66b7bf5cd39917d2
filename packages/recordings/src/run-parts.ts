import type { SpeechClient } from '@speech-api/client';
import { type FinishedPart, partsOf, withParts } from './errors.ts';

/** The places of a job: a number within the client's own limit. */
export function poolOf(client: SpeechClient, jobs: number | JobPool): JobPool {
  return typeof jobs === 'number' ? new JobPool(Math.min(jobs, client.settings.concurrency)) : jobs;
}

/** Places for calls under way. Several recordings may share them: one that ends leaves its places to the others. */
export class JobPool {
  #freePlaces: number;
  readonly #waiting = new Set<() => void>();

  /** @param places - Maximum number of concurrent calls. */
  constructor(places: number) {
    if (!(Number.isInteger(places) && places >= 1))
      throw new RangeError(`jobs is ${places}; use a whole number from 1`);
    this.#freePlaces = places;
  }

  /** Waits for a place, in the order of the calls. Settles with false if the signal aborts before. */
  take(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(false);
      const onAbort = (): void => {
        this.#waiting.delete(enter);
        resolve(false);
      };
      const enter = (): void => {
        this.#waiting.delete(enter);
        signal.removeEventListener('abort', onAbort);
        resolve(true);
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', onAbort, { once: true });
      this.leave(0);
    });
  }

  leave(places: number): void {
    this.#freePlaces += places;
    for (const enter of [...this.#waiting].slice(0, this.#freePlaces)) {
      this.#freePlaces -= 1;
      enter();
    }
  }
}

/**
 * Sends the parts of a job, some at a time, and gives the results in the order of the parts. When one fails, nothing new starts;
 * those under way are billed, so they finish and are on `error.parts`. Leaving the loop aborts them.
 *
 * @param cut - Gives the parts, until its signal aborts.
 */
export async function* runParts<Part, Result extends FinishedPart>(
  cut: (signal: AbortSignal) => AsyncIterable<Part> | Iterable<Part>,
  pool: JobPool,
  outer: AbortSignal | undefined,
  send: (part: Part, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const stop = new AbortController();
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
  const parts = cut(signal);
  const iterator = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  const started: Promise<Result>[] = [];
  let mayStart = true;
  let places = 0;
  const nextPart = async (): Promise<IteratorResult<Part>> => {
    if (await pool.take(signal)) places += 1;
    return iterator.next();
  };
  let next: Promise<IteratorResult<Part>> | undefined;
  try {
    for (;;) {
      if (mayStart) next ??= nextPart();
      const turn = started[0]?.then((result) => ({ result }));
      if (turn === undefined && next === undefined) return;
      const event = await Promise.race([turn, next].filter((awaited) => awaited !== undefined));
      if ('result' in event) {
        started.shift();
        // A finished result that waits for its turn takes memory, so it keeps its place until here.
        places -= 1;
        pool.leave(1);
        yield event.result;
        continue;
      }
      next = undefined;
      if (event.done) mayStart = false;
      if (!mayStart) {
        pool.leave(places - started.length);
        places = started.length;
        continue;
      }
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
    await Promise.allSettled([...started, next]);
    pool.leave(places);
    await iterator.return?.();
  }
}

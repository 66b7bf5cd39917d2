import { setTimeout } from 'node:timers/promises';
import { type Exchange, responseOf } from '../exchange.ts';

/** Limits on the pace of a run. */
export interface PaceOptions {
  /** Calls that may begin in a minute. @defaultValue no limit of its own */
  readonly callsPerMinute?: number;
  /** Maximum seconds that a run waits in total at a server's request. @defaultValue 300 */
  readonly maximumWaitSeconds?: number;
  /** Called before each wait that a server has asked for. */
  readonly onWait?: (seconds: number, status: number) => void;
}

/** A server that still refuses after this many waits does not mean the rate. */
const attempts = 3;
const usualWaitSeconds = 2;

/** Limits the rate of calls, and waits when a server asks for it. */
export function createPace(options: PaceOptions, signal?: AbortSignal) {
  const { callsPerMinute, maximumWaitSeconds = 300, onWait } = options;
  const interval = callsPerMinute === undefined ? 0 : 60_000 / callsPerMinute;
  let nextAt = 0;
  let waitedSeconds = 0;
  let isFutile = false;
  const isAborted = () => signal?.aborted === true;
  const pause = (milliseconds: number) =>
    setTimeout(Math.max(0, milliseconds), undefined, signal && { signal }).catch(() => {});
  return {
    get waitedSeconds(): number {
      return Math.round(waitedSeconds);
    },
    /** Resolves when the next call may begin. */
    async enter(): Promise<void> {
      const now = performance.now();
      if (now < nextAt) await pause(nextAt - now);
      nextAt = Math.max(now, nextAt) + interval;
    },
    /** Waits if an answer asks for it. @returns whether to send the call again: it was refused without any effect */
    async again(exchange: Exchange, attempt: number): Promise<boolean> {
      const { status, headers } = responseOf(exchange);
      const retryAfter = headers['retry-after'];
      if (status !== 429 && (status !== 503 || retryAfter === undefined)) return false;
      if (attempt >= attempts) isFutile = true;
      const seconds = secondsOf(retryAfter);
      if (isFutile || isAborted() || waitedSeconds + seconds > maximumWaitSeconds) return false;
      waitedSeconds += seconds;
      onWait?.(Math.ceil(seconds), status);
      await pause(1000 * seconds);
      return !isAborted();
    },
  };
}

/** `Retry-After` is a number of seconds or a date. */
function secondsOf(value: string | undefined): number {
  if (value === undefined) return usualWaitSeconds;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : usualWaitSeconds;
}

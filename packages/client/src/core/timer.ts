// Timers of every runtime overflow for a longer delay and fire at once.
const longestTimer = 2 ** 31 - 1;

/** Calls `act` after this many milliseconds, or never for `Infinity`. Returns a function that cancels it. */
export function after(milliseconds: number, act: () => void): () => void {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => undefined;
  const timer = setTimeout(act, Math.min(milliseconds, longestTimer));
  return () => clearTimeout(timer);
}

/** A timer that is later than this belongs to a process that was asleep or starved. Milliseconds. */
const lateMilliseconds = 1000;
/** The time that such a process gets, once, to read what has arrived. */
const graceMilliseconds = 2000;

/**
 * Calls `act` when a deadline has passed and what had arrived by then was read. A process that slept wakes with its timer due
 * and its data waiting, and timers come first: the data has a turn of the event loop, or the grace where the timer is late.
 * Returns a function that cancels it.
 */
export function startDeadline(milliseconds: number, act: () => void): () => void {
  const wait = Math.max(0, milliseconds);
  const due = Date.now() + wait;
  let isOver = false;
  const end = (): void => {
    if (!isOver) act();
  };
  let stop = after(wait, () => {
    const isLate = Date.now() - due > lateMilliseconds;
    stop = after(isLate ? graceMilliseconds : 0, () => {
      // Node reads its sockets before what this is given. Elsewhere the second timer is enough.
      const { setImmediate } = globalThis as { setImmediate?: (act: () => void) => unknown };
      if (setImmediate) setImmediate(end);
      else end();
    });
  });
  return () => {
    isOver = true;
    stop();
  };
}

/** What is to happen when a signal aborts, and the listener that does it. */
interface Followers {
  readonly acts: Set<() => void>;
  readonly onAbort: () => void;
}

const followersOf = new WeakMap<AbortSignal, Followers>();

/**
 * Calls `act` when the signal aborts; returns a function that stops that. A signal has one listener for all, because Node 20
 * warns when there are eleven. It goes with the last of them: a signal of `AbortSignal.any` lives as long as it has one.
 */
export function followSignal(signal: AbortSignal, act: () => void): () => void {
  const { acts, onAbort } = followersOf.get(signal) ?? createFollowers(signal);
  if (acts.size === 0) signal.addEventListener('abort', onAbort);
  acts.add(act);
  return () => {
    if (acts.delete(act) && acts.size === 0) signal.removeEventListener('abort', onAbort);
  };
}

function createFollowers(signal: AbortSignal): Followers {
  const acts = new Set<() => void>();
  // The event is not asked for its signal, because Node tells it to the first listener only.
  const onAbort = (): void => {
    for (const act of [...acts]) act();
  };
  const followers = { acts, onAbort };
  followersOf.set(signal, followers);
  return followers;
}

/** Settles as the promise does, or rejects with the signal's reason if that aborts before. */
export function unlessAborted<Value>(promise: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    Promise.resolve(promise).finally(followSignal(signal, onAbort)).then(resolve, reject);
  });
}

/** Waits, or rejects with the signal's reason. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const unfollow = followSignal(signal, () => {
      stop();
      reject(signal.reason);
    });
    const stop = after(milliseconds, () => {
      unfollow();
      resolve();
    });
  });
}

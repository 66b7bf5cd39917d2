// Timers of every runtime overflow for a longer delay and fire at once.
const longestTimer = 2 ** 31 - 1;

/** Calls `act` after this many milliseconds, or never for `Infinity`. Returns a function that cancels it. */
export function after(milliseconds: number, act: () => void): () => void {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => undefined;
  const timer = setTimeout(act, Math.min(milliseconds, longestTimer));
  return () => clearTimeout(timer);
}

const followersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `act` when the signal aborts; returns a function that stops that. A signal has one listener for all, because Node 20
 * warns when there are eleven. It goes with the last of them: a signal of `AbortSignal.any` lives as long as it has one.
 */
export function followSignal(signal: AbortSignal, act: () => void): () => void {
  const followers = followersOf.get(signal) ?? new Set();
  followersOf.set(signal, followers);
  if (followers.size === 0) signal.addEventListener('abort', tellFollowers);
  followers.add(act);
  return () => {
    if (followers.delete(act) && followers.size === 0) signal.removeEventListener('abort', tellFollowers);
  };
}

function tellFollowers({ currentTarget }: Event): void {
  for (const act of [...(followersOf.get(currentTarget as AbortSignal) ?? [])]) act();
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

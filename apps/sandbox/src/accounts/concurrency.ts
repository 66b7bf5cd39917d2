import type { Account } from './account.ts';

/** Counts the requests under way, account by account. */
export interface ConcurrencyCounter {
  /** Takes a place for a request, or answers `undefined` when the account has none left. */
  enter(account: Account): Place | undefined;
  /** How many requests of the account are under way. */
  current(account: Account): number;
}

/** A request's place. */
export interface Place {
  /** Gives the place back; later calls do nothing. */
  leave(): void;
}

/** Makes a counter with nothing under way. */
export function createConcurrencyCounter(): ConcurrencyCounter {
  const underWay = new Map<string, number>();
  const current = (account: Account): number =>
    account.always === 'busy' ? account.concurrency : (underWay.get(account.user._id) ?? 0);
  return {
    current,
    enter(account) {
      const before = current(account);
      if (before >= account.concurrency) return undefined;
      underWay.set(account.user._id, before + 1);
      let left = false;
      return {
        leave() {
          if (left) return;
          left = true;
          underWay.set(account.user._id, (underWay.get(account.user._id) ?? 1) - 1);
        },
      };
    },
  };
}

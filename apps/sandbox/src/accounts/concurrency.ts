import type { Account } from './account.ts';

/** Counts the requests under way, account by account. */
export interface ConcurrencyCounter {
  /**
   * Takes a place for a request, or answers `undefined` when the account has none left.
   *
   * @returns what gives the place back; to be called once
   */
  enter(account: Account): (() => void) | undefined;
  /** How many requests of the account are under way. */
  current(account: Account): number;
}

/** Makes a counter with nothing under way. */
export function createConcurrencyCounter(): ConcurrencyCounter {
  const underWay = new Map<string, number>();
  const change = (account: Account, by: number): void => {
    underWay.set(account.user._id, (underWay.get(account.user._id) ?? 0) + by);
  };
  const current = (account: Account): number =>
    account.always === 'busy' ? account.concurrency : (underWay.get(account.user._id) ?? 0);
  return {
    current,
    enter(account) {
      if (current(account) >= account.concurrency) return undefined;
      change(account, 1);
      return () => change(account, -1);
    },
  };
}

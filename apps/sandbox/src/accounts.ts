import type { ApiCredit, Package, VoiceModelAuthor } from '@speech-api/types';

/** Owner of a key. The remaining credit, which changes with use, is in the state. */
export interface Account {
  readonly key: string;
  /** The user as the author of voice models; `_id` is the user id of the wallet paths. */
  readonly user: VoiceModelAuthor;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** For keys that exist to show one refusal. */
  readonly always?: 'busy' | 'forbidden';
  /** With the credit the account starts with. */
  readonly api_credit: ApiCredit;
  readonly package: Package;
}

/** The accounts of a sandbox. */
export interface Accounts {
  /** The account a key belongs to. */
  byKey(key: string | undefined): Account | undefined;
  hasUser(userId: string): boolean;
  readonly all: readonly Account[];
}

/** Makes accounts findable. */
export function createAccounts(all: readonly Account[]): Accounts {
  const byKey = new Map(all.map((account) => [account.key, account]));
  const users = new Set(all.map((account) => account.user._id));
  return {
    byKey: (key) => (key === undefined ? undefined : byKey.get(key)),
    hasUser: (userId) => users.has(userId),
    all,
  };
}

/** The keys of the built-in seed data, and what each is for. */
export const wellKnownKeys = {
  'sandbox-key': 'works, with credit',
  'sandbox-empty': 'has no credit: 402',
  'sandbox-busy': 'is always at its concurrency limit: 429',
  'sandbox-forbidden': 'may do nothing: 403',
} as const;

/** Counts the requests under way, account by account. */
export interface ConcurrencyCounter {
  /**
   * Takes a place for a request, or answers `undefined` when the account has none left.
   *
   * @returns what gives the place back; to be called once
   */
  enter(account: Account): (() => void) | undefined;
  /** Number of requests of the account that are under way. */
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

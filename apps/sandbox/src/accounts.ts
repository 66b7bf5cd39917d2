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

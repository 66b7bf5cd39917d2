import type { ApiCredit, Package, VoiceModelAuthor } from '@speech-api/types';

/** Who a key belongs to. */
export interface Account {
  readonly key: string;
  /** The user as the author of voice models; `_id` is the user id of the wallet paths. */
  readonly user: VoiceModelAuthor;
  /** How many requests may be under way at once. */
  readonly concurrency: number;
  /** For keys that exist to show one refusal. */
  readonly always?: 'busy' | 'forbidden';
  readonly api_credit: ApiCredit;
  readonly package: Package;
}

/** Whether an account's credit, a decimal in a string, is above zero. No float is made of it. */
export function hasCredit(account: Account): boolean {
  return /^\d*\.?\d*$/.test(account.api_credit.credit) && /[1-9]/.test(account.api_credit.credit);
}

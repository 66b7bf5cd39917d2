import type { ApiCredit, Package } from '@speech-api/types';
import type { CallPromise, Core } from '../core/call.ts';
import type { CallOptions } from '../options.ts';
import { answerJson } from './answer-json.ts';

/** The credit and the package of a user. */
export interface WalletResource {
  /**
   * The API credit. `credit` is a decimal number in a string and stays one: a float would round it.
   *
   * @param userId - A user's id. @defaultValue `'self'`, the owner of the key
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const client = createSpeechClient();
   * const { credit } = await client.wallet.getApiCredit();
   * console.log(credit);
   * ```
   */
  getApiCredit(userId?: string, options?: CallOptions): CallPromise<ApiCredit>;

  /**
   * The package: what is booked and what is left of it.
   *
   * @param userId - A user's id. @defaultValue `'self'`, the owner of the key
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const client = createSpeechClient();
   * const { balance, total } = await client.wallet.getPackage();
   * console.log(`${balance} of ${total}`);
   * ```
   */
  getPackage(userId?: string, options?: CallOptions): CallPromise<Package>;
}

export function createWalletResource(core: Core): WalletResource {
  return {
    getApiCredit: (userId = 'self', options = {}) => answerJson(core, 'getApiCredit', options, userId),
    getPackage: (userId = 'self', options = {}) => answerJson(core, 'getPackage', options, userId),
  };
}

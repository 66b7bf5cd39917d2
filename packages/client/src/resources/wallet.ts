import type { ApiCredit, Package } from '@speech-api/types';
import type { CallPromise, Core, Operation } from '../core/http.ts';
import { pathPart } from '../encode.ts';
import type { CallOptions } from '../options.ts';
import { readJson } from './answer.ts';

/** The credit and the package of a user (section 4.5). */
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

const getApiCredit: Operation<ApiCredit> = {
  operationId: 'getApiCredit',
  method: 'get',
  path: '/wallet/{user_id}/api-credit',
  read: (call, response) => readJson(call, response, { credit: 'string' }),
};
const getPackage: Operation<Package> = {
  operationId: 'getPackage',
  method: 'get',
  path: '/wallet/{user_id}/package',
  read: (call, response) => readJson(call, response, { balance: 'number' }),
};

export function createWalletResource(core: Core): WalletResource {
  const of = (userId: string) => () => ({ path: pathPart('user_id', userId) });
  return {
    getApiCredit: (userId = 'self', options = {}) => core.call(getApiCredit, options, of(userId)),
    getPackage: (userId = 'self', options = {}) => core.call(getPackage, options, of(userId)),
  };
}

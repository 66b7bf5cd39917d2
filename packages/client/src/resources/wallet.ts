import type { ApiCredit, Package } from '@speech-api/types';
import { type CallPromise, type Core, send } from '../core/http.ts';
import type { CallOptions } from '../options.ts';
import { packageFields, readJson } from './json.ts';

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
   */
  getPackage(userId?: string, options?: CallOptions): CallPromise<Package>;
}

export function createWalletResource(core: Core): WalletResource {
  return {
    getApiCredit: (user_id = 'self', options = {}) =>
      send(core, 'getApiCredit', options, () => ({
        method: 'get',
        path: '/wallet/{user_id}/api-credit',
        pathParts: { user_id },
        read: (call, response) => readJson<ApiCredit>(call, response, { credit: 'string' }),
      })),
    getPackage: (user_id = 'self', options = {}) =>
      send(core, 'getPackage', options, () => ({
        method: 'get',
        path: '/wallet/{user_id}/package',
        pathParts: { user_id },
        read: (call, response) => readJson<Package>(call, response, packageFields),
      })),
  };
}

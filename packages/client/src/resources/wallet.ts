import type { ApiCredit, Package } from '@speech-api/types';
import { mediaTypes } from '@speech-api/types/constants';
import type { Core } from '../core/core.ts';
import { pathSegment } from '../core/path-segment.ts';
import { readJson } from '../core/read-body.ts';
import type { CallOptions } from '../options.ts';

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
  getApiCredit(userId?: string, options?: CallOptions): Promise<ApiCredit>;

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
  getPackage(userId?: string, options?: CallOptions): Promise<Package>;
}

export function createWalletResource(core: Core): WalletResource {
  return {
    async getApiCredit(user_id = 'self', options = {}) {
      const path = pathSegment('user_id', user_id);
      const { response, call } = await core.call(
        { operationId: 'getApiCredit', accept: mediaTypes.json },
        options,
        (init) => core.http.GET('/wallet/{user_id}/api-credit', { ...init, params: { path } }),
      );
      return readJson<ApiCredit>(response, call);
    },

    async getPackage(user_id = 'self', options = {}) {
      const path = pathSegment('user_id', user_id);
      const { response, call } = await core.call(
        { operationId: 'getPackage', accept: mediaTypes.json },
        options,
        (init) => core.http.GET('/wallet/{user_id}/package', { ...init, params: { path } }),
      );
      return readJson<Package>(response, call);
    },
  };
}

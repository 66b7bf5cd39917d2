import { Refusal } from '@speech-api/wire';
import type { Account } from '../accounts/account.ts';
import { sendJson } from '../server/send-json.ts';
import type { OperationContext, OperationHandler } from './context.ts';

/** `GET /wallet/{user_id}/api-credit`. */
export const getApiCredit: OperationHandler = (context) => {
  sendJson(context.response, 200, walletOf(context).api_credit);
};

/** `GET /wallet/{user_id}/package`. */
export const getPackage: OperationHandler = (context) => {
  sendJson(context.response, 200, walletOf(context).package);
};

/** `self` or the caller's own id; the wallet of another user is not the caller's to read. */
function walletOf({ call, account, seed }: OperationContext): Account {
  const userId = call.path.user_id ?? '';
  if (userId === 'self' || userId === account.user._id) return account;
  if (seed.accounts.some(({ user }) => user._id === userId)) {
    throw new Refusal('forbidden', { message: 'The wallet of another user cannot be read with this key.' });
  }
  throw new Refusal('not-found', { message: 'There is no user with the id of the path.' });
}

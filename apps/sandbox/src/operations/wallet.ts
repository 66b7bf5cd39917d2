import { jsonAnswer, Refusal } from '@speech-api/server';
import type { ApiCredit } from '@speech-api/types';
import { writeAmount } from '../wallet.ts';
import type { OperationContext, OperationHandler } from './context.ts';

/** `GET /wallet/{user_id}/api-credit`: what can still be spent; what is reserved for requests under way is not. */
export const getApiCredit: OperationHandler = (context) => {
  const { account, state } = context;
  checkOwner(context);
  const { available, updatedAt } = state.wallets.read(account.user._id);
  const answer: ApiCredit = {
    ...account.api_credit,
    credit: writeAmount(available),
    updated_at: new Date(updatedAt).toISOString(),
  };
  return jsonAnswer(200, answer);
};

/** `GET /wallet/{user_id}/package`. Use is charged to the credit, so that the package stays as it is. */
export const getPackage: OperationHandler = (context) => {
  checkOwner(context);
  return jsonAnswer(200, context.account.package);
};

/** `self` or the caller's own id; the wallet of another user is not the caller's to read. */
function checkOwner({ call, account, state }: OperationContext): void {
  const userId = call.path.user_id ?? '';
  if (userId === 'self' || userId === account.user._id) return;
  if ([...state.accounts.values()].some(({ user }) => user._id === userId)) {
    throw new Refusal('forbidden', { message: 'The wallet of another user cannot be read with this key.' });
  }
  throw new Refusal('not-found', { message: 'There is no user with the id of the path.' });
}

import type { OperationHandler } from './context.ts';
import { sendDocumented } from './send-documented.ts';

/** The word for the caller's own wallet. */
const ownWallet = 'self';

/** `GET /wallet/{user_id}/…`: the document's example, of the user that was asked for. */
export const readWallet: OperationHandler = (context) => {
  const { user_id } = context.call.path;
  return sendDocumented(context, {}, (body) =>
    user_id === ownWallet ? body : { ...(body as object), user_id },
  );
};

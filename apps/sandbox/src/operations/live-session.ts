import type { OperationHandler } from './context.ts';

/** `GET /v1/tts/live`: the change to a WebSocket, and what is said on it until it is closed. */
export const openLiveSession: OperationHandler = (context) => {
  const { live, upgrade } = context;
  if (upgrade === undefined) throw new Error('The order of refusals has no check of the upgrade.');
  return live.accept(upgrade, context);
};

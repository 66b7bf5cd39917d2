import { sendJson } from '../server/send-json.ts';
import type { OperationHandler } from './context.ts';

/** Not Implemented: outside the spec's refusals, because a service that keeps the interface never answers it. */
const notImplemented = 501;

/** A request that is good, to something this version of the sandbox does not do. Never a pretended success. */
export function notYet(what: string): OperationHandler {
  return ({ response }) => {
    const message = `${what} is not available in this version of the sandbox.`;
    sendJson(response, notImplemented, { status: notImplemented, message });
  };
}

import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import type { Relay } from './relay.ts';

/**
 * A middleware for Hono with `@hono/node-server`: answers `/health`, `/ready` and the allowed operations.
 * Live sessions come as upgrades, past Hono: give the server of `serve` to `relay.attach`.
 *
 * @example
 * app.use(relayForHono(relay));
 * relay.attach(serve({ fetch: app.fetch, port: 3000 }));
 */
export function relayForHono(relay: Relay): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async ({ env: { incoming, outgoing } }, next) => {
    if (!('socket' in incoming) || !('setHeader' in outgoing))
      throw new TypeError('live sessions need HTTP/1.1');
    if (relay.handleRequest(incoming, outgoing)) return RESPONSE_ALREADY_SENT;
    await next();
    return undefined;
  };
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Relay } from './relay.ts';

/** As much of Fastify as is used here. */
interface Application {
  readonly server: Server;
  addHook(
    name: 'onRequest',
    hook: (
      request: { readonly raw: IncomingMessage },
      reply: { readonly raw: ServerResponse; hijack(): unknown },
    ) => Promise<void>,
  ): unknown;
  addHook(name: 'preClose', hook: () => Promise<void>): unknown;
}

/**
 * A plugin for Fastify: opens live sessions, answers `/health`, `/ready` and the allowed operations, and drains the
 * relay when the application closes.
 *
 * @example
 * await application.register(relayForFastify(relay));
 */
export function relayForFastify(relay: Relay): (application: Application) => Promise<void> {
  const plugin = async (application: Application): Promise<void> => {
    relay.attach(application.server);
    // Before a body is parsed: the relay reads it itself.
    application.addHook('onRequest', async ({ raw }, reply) => {
      if (relay.handleRequest(raw, reply.raw)) reply.hijack();
    });
    application.addHook('preClose', () => relay.drain());
  };
  // For the whole application, as the package fastify-plugin does: else the hook would run for the plugin's routes alone.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}

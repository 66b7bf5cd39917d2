import type { AddressInfo, Server } from 'node:net';
import { wantsUpgrade } from '../live/endpoint.ts';

/** Where a server listens. */
export interface ListeningAt {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
}

/**
 * Starts listening.
 *
 * @param port 0 for any free port
 * @throws Error with the code of the system, such as `EADDRINUSE`, when it cannot
 */
export async function listen(server: Server, port: number, host: string): Promise<ListeningAt> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: given } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${given}`, port: given };
}

/** How long a server of this API waits for its callers: options of `createServer` in `node:http`. */
export const httpServerOptions = {
  shouldUpgradeCallback: wantsUpgrade,
  // A missing Host is refused like a foreign one, with a body.
  requireHostHeader: false,
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  // Long enough for the largest body over a slow line.
  requestTimeout: 300_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** A connection on which nothing moved for so long is cut: its reader would hold what answers it for ever. */
export const stalledMilliseconds = 300_000;

import { wantsUpgrade } from '../live/upgrade.ts';

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

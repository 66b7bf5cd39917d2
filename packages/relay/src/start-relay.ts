import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationTable } from '@speech-api/types/operations';
import { defaultHost, defaultLimits } from './defaults.ts';
import { createRelay, type Relay, type RelayOptions, respond } from './relay.ts';

/** A relay on its own port. */
export interface RunningRelay {
  readonly url: string;
  readonly relay: Relay;
  /** Drains, and stops listening. */
  close(): Promise<void>;
}

/** Starts a relay with its own server. @throws what listening fails with */
export async function startRelay(
  options: RelayOptions & { readonly port?: number | undefined; readonly host?: string | undefined },
): Promise<RunningRelay> {
  const { port = 0, host = defaultHost } = options;
  const relay = createRelay({ ...options, hosts: [...(options.hosts ?? []), host] });
  // Slow headers have the same time limit as every answer.
  const answerMilliseconds = (options.limits?.answerSeconds ?? defaultLimits.answerSeconds) * 1000;
  const server = createServer({
    headersTimeout: answerMilliseconds,
    requestTimeout: answerMilliseconds,
    connectionsCheckingInterval: Math.min(2000, answerMilliseconds),
    maxHeaderSize: 16 * 1024,
  });
  server.on('request', (request, response) => {
    if (!relay.handleRequest(request, response)) answerRequest(request, response);
  });
  server.on('upgrade', relay.handleUpgrade);
  await listen(server, port, host);
  const { port: bound } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  return {
    url,
    relay,
    async close() {
      await relay.drain();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

function answerRequest({ url }: IncomingMessage, response: ServerResponse): void {
  const live = (url ?? '').split('?')[0] === operationTable.openLiveSession.path;
  if (live) response.setHeader('upgrade', 'websocket');
  const status = live ? 426 : 404;
  respond(response, status, { status, message: live ? 'Open a WebSocket here.' : 'There is nothing here.' });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationTable } from '@speech-api/types/operations';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { defaultHost } from './defaults.ts';
import { pathOf, respond } from './http.ts';
import type { RelayOptions } from './options.ts';
import { createRelay, type Relay } from './relay.ts';
import { optionsSchema, parse } from './schema.ts';

/** A relay on its own port. */
export interface RunningRelay {
  readonly url: string;
  /** URL of the metrics for Prometheus, if a port was given. */
  readonly metricsUrl: string | undefined;
  readonly relay: Relay;
  /** Drains, and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a relay with its own server, and another one for metrics if `metricsPort` is given.
 *
 * @throws what `createRelay` throws, and what listening fails with
 */
export async function startRelay(
  options: RelayOptions & {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
    readonly metricsPort?: number | undefined;
  },
): Promise<RunningRelay> {
  const { port = 0, host = defaultHost, metricsPort, ...rest } = options;
  const { metrics = new Registry(), hosts, limits } = parse(optionsSchema, rest);
  const relay = createRelay({ ...rest, metrics, hosts: [...hosts, inAddress(host)] });
  // Slow headers have the same time limit as every answer.
  const answerMilliseconds = limits.answerSeconds * 1000;
  const server = createServer({
    headersTimeout: answerMilliseconds,
    requestTimeout: answerMilliseconds,
    connectionsCheckingInterval: Math.min(2000, answerMilliseconds),
    maxHeaderSize: 16 * 1024,
  });
  server.on('request', (request, response) => {
    if (!relay.handleRequest(request, response)) answerRequest(request, response);
  });
  relay.attach(server);
  const servers = [server];
  let metricsUrl: string | undefined;
  const url = await listen(server, port, host);
  if (metricsPort !== undefined) {
    const metricsServer = createMetricsServer(metrics);
    try {
      metricsUrl = `${await listen(metricsServer, metricsPort, host)}/metrics`;
    } catch (error) {
      server.close();
      throw error;
    }
    servers.push(metricsServer);
  }
  return {
    url,
    metricsUrl,
    relay,
    async close() {
      await relay.drain();
      for (const each of servers) {
        await new Promise((resolve) => {
          each.close(resolve);
          each.closeAllConnections();
        });
      }
    },
  };
}

/** Answers Prometheus on a port of its own, which the balancer does not publish. */
function createMetricsServer(registry: Registry): Server {
  collectDefaultMetrics({ register: registry });
  return createServer(async (request, response) => {
    if (pathOf(request) !== '/metrics') {
      respond(response, 404, { status: 404, message: 'Only /metrics is here.' });
      return;
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' });
    response.end(text);
  });
}

function answerRequest(request: IncomingMessage, response: ServerResponse): void {
  const live = pathOf(request) === operationTable.openLiveSession.path;
  if (live) response.setHeader('upgrade', 'websocket');
  const status = live ? 426 : 404;
  respond(response, status, { status, message: live ? 'Open a WebSocket here.' : 'There is nothing here.' });
}

/** A host as it is written in an address and in `Host`. */
function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen({ port, host });
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return `http://${inAddress(host)}:${bound}`;
}

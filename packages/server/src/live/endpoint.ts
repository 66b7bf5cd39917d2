import { once } from 'node:events';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits, liveTimestampsPath, operationTable } from '@speech-api/types';
import { WebSocketServer } from 'ws';
import type { Exchange, Upgrade } from '../exchange.ts';
import { Refusal } from '../refusal.ts';
import { sendJson } from '../send.ts';
import { type LiveEndpointOptions, type LiveService, runConversation } from './session.ts';

/** True if a request should be upgraded; any other upgrade is answered as if it had not been requested. */
export function wantsUpgrade(request: IncomingMessage, hasTimestamps: boolean): boolean {
  const { method, path } = operationTable.openLiveSession;
  const protocol = request.headers.upgrade?.trim().toLowerCase();
  const pathname = request.url?.split('?')[0];
  const isLive = pathname === path || (hasTimestamps && pathname === liveTimestampsPath);
  return protocol === 'websocket' && request.method === method && isLive;
}

/** Makes a request for word times the same request without them, which the interface knows. */
export function takeTimestamps(request: IncomingMessage): boolean {
  const [path = '', query] = (request.url ?? '').split('?');
  if (path !== liveTimestampsPath) return false;
  request.url = operationTable.openLiveSession.path + (query === undefined ? '' : `?${query}`);
  return true;
}

/** The response to an upgrade, so that it can be refused like any other request. */
export function responseTo({ request, socket }: Upgrade): ServerResponse {
  // A reset is an ordinary end of a connection.
  socket.on('error', () => {});
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // The server's connections are sockets, although the type is wider.
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  return response;
}

/** The version of RFC 6455, the only WebSocket version. */
const webSocketVersion = '13';

/**
 * RFC 6455, section 4.2: an upgrade to another version of the protocol is answered 426 with the version there is, one
 * without a key 400.
 *
 * @throws Refusal `upgrade-required` or `rule`
 */
export function checkUpgrade({ request, upgrade }: Exchange): void {
  const headers = { upgrade: 'websocket', connection: 'upgrade' };
  if (upgrade === undefined) {
    const message = 'This address is for WebSockets: send the headers of an upgrade.';
    throw new Refusal('upgrade-required', { message, headers });
  }
  const { 'sec-websocket-version': version, 'sec-websocket-key': key } = request.headers;
  if (version !== webSocketVersion) {
    const state = version === undefined ? 'is missing' : `is ${version.slice(0, 20)}`;
    throw new Refusal('upgrade-required', {
      message: `The header Sec-WebSocket-Version ${state}; send ${webSocketVersion}.`,
      headers: { ...headers, 'sec-websocket-version': webSocketVersion },
    });
  }
  if (key !== undefined) return;
  throw new Refusal('rule', {
    message: 'The header Sec-WebSocket-Key is missing; send 16 random bytes in base64.',
  });
}

/** Accepts upgrades that passed the checks. */
export interface LiveEndpoint {
  /** Changes the protocol and holds the sessions. Settles when the socket is gone and all work for it has ended. */
  accept(exchange: Exchange, service: LiveService): Promise<void>;
}

/** Makes the endpoint of live sessions. */
export function createLiveEndpoint(options: LiveEndpointOptions): LiveEndpoint {
  const responses = new WeakMap<IncomingMessage, ServerResponse>();
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A start message contains reference samples, like the body of an ordinary call.
    maxPayload: limits.requestBodyBytes,
    // Speech is already compressed, and each compressor takes memory.
    perMessageDeflate: false,
    // A flood of small messages must not block other clients.
    allowSynchronousEvents: false,
  });
  // The headers of every answer, such as the trace id, are also sent with the upgrade.
  webSockets.on('headers', (headers, request) => {
    for (const [name, value] of Object.entries(responses.get(request)?.getHeaders() ?? {})) {
      headers.push(`${name}: ${[value].flat().join(', ')}`);
    }
  });
  webSockets.on('wsClientError', (error, _socket, request) => {
    const response = responses.get(request);
    if (response === undefined) return;
    sendJson(response, 400, { status: 400, message: `The upgrade is not valid: ${error.message}.` });
  });
  return {
    async accept(exchange, service) {
      const { upgrade, response } = exchange;
      if (upgrade === undefined) throw new Error('The order of refusals has no check of the upgrade.');
      const { request, socket, head } = upgrade;
      responses.set(request, response);
      const closed = once(response, 'close');
      let pause: Promise<void> | undefined;
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        response.statusCode = switchingProtocols;
        pause = runConversation(webSocket, { ...options, ...service, exchange });
      });
      await closed;
      await pause;
    },
  };
}

/** The status of a connection that became a WebSocket, for the log. */
export const switchingProtocols = 101;

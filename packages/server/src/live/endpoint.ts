import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { operationTable } from '@speech-api/types';
import { FaultyResponse } from '../faults/faulty-response.ts';

/** A request to change to WebSocket, and the connection it came on. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What came after the head already. */
  readonly head: Buffer;
}

/** Whether a request is to be upgraded; one for anything else is answered as if it had not asked. */
export function wantsUpgrade(request: IncomingMessage): boolean {
  const { method, path } = operationTable.openLiveSession;
  const protocol = request.headers.upgrade?.trim().toLowerCase();
  return protocol === 'websocket' && request.method === method && request.url?.split('?')[0] === path;
}

/** The response to an upgrade, so that it can be refused like any other request. */
export function responseTo({ request, socket }: Upgrade): FaultyResponse {
  // A reset is one of the ways a connection may end.
  socket.on('error', () => {});
  const response = new FaultyResponse(request);
  response.shouldKeepAlive = false;
  // The server's connections are sockets; the type only says what could be handed to it.
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  return response;
}

import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limits } from '@speech-api/types';
import { WebSocketServer } from 'ws';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import { type LiveEndpointOptions, runConversation } from './session.ts';

/** A request to change to WebSocket, and the connection it came on. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that arrived directly after the head. */
  readonly head: Buffer;
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

/** Changes the protocol and holds the sessions. Settles when the socket is gone and all work for it has ended. */
export type AcceptUpgrade = (upgrade: Upgrade, call: Call, answer: Answer) => Promise<void>;

export function createLiveEndpoint(options: LiveEndpointOptions): AcceptUpgrade {
  const answers = new WeakMap<IncomingMessage, Answer>();
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
  webSockets.on('headers', (lines, request) => {
    for (const [name, value] of Object.entries(answers.get(request)?.headers ?? {})) {
      lines.push(`${name}: ${value}`);
    }
  });
  return async ({ request, socket, head }, call, answer) => {
    const { live } = answer;
    if (live === undefined) throw new Error('The answer has no speech for the WebSocket.');
    answers.set(request, answer);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let conversation: Promise<void> | undefined;
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      conversation = runConversation(webSocket, { ...options, ...live, call });
    });
    await closed;
    await conversation;
  };
}

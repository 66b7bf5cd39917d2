import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLiveReceiver, sendJson, type Upgrade } from '@speech-api/server';
import { limits } from '@speech-api/types';
import { WebSocketServer } from 'ws';
import type { OperationContext } from '../operations/context.ts';
import { runConversation } from './conversation.ts';
import { createSpeaker } from './speaker.ts';

/** How live sessions are held. */
export interface LiveOptions {
  readonly lenient: boolean;
  /** Seconds a socket stays open without a session. */
  readonly idleSeconds: number;
}

/** Takes upgrades that were allowed. */
export interface LiveEndpoint {
  /** Changes the protocol and holds the sessions. Settles when the socket is gone. */
  accept(upgrade: Upgrade, context: OperationContext): Promise<void>;
}

/** Makes the endpoint of live sessions (section 4.6). */
export function createLiveEndpoint({ lenient, idleSeconds }: LiveOptions): LiveEndpoint {
  const receiver = createLiveReceiver({ lenient });
  const responses = new WeakMap<IncomingMessage, ServerResponse>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A start message carries reference samples, like the body of an ordinary call.
    maxPayload: limits.requestBodyBytes,
    // Speech is compressed already, and each compressor takes memory.
    perMessageDeflate: false,
    // A flood of small messages must not keep the thread from everybody else.
    allowSynchronousEvents: false,
  });
  // What every answer carries, such as the trace id, goes with the change of protocol too.
  server.on('headers', (headers, request) => {
    for (const [name, value] of Object.entries(responses.get(request)?.getHeaders() ?? {})) {
      headers.push(`${name}: ${[value].flat().join(', ')}`);
    }
  });
  server.on('wsClientError', (error, _socket, request) => {
    const response = responses.get(request);
    if (response)
      sendJson(response, 400, { status: 400, message: `The upgrade is not valid: ${error.message}.` });
  });
  return {
    async accept({ request, socket, head }, context) {
      const { response, signal } = context;
      responses.set(request, response);
      const closed = once(response, 'close');
      let held: Promise<void> | undefined;
      server.handleUpgrade(request, socket, head, (webSocket) => {
        response.statusCode = 101;
        held = runConversation(webSocket, { receiver, idleSeconds, signal, speaker: createSpeaker(context) });
      });
      await closed;
      await held;
    },
  };
}

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '@speech-api/server';
import { headerNames, limits } from '@speech-api/types';
import { WebSocketServer } from 'ws';
import { holdConversation } from '../live/conversation.ts';
import type { OperationHandler } from './context.ts';
import { sendDocumented } from './send-documented.ts';

const responses = new WeakMap<IncomingMessage, ServerResponse>();
let endpoint: WebSocketServer | undefined;

/** `/v1/tts/live`: speaks what is written, while it is written (section 4.6). */
export const openLiveSession: OperationHandler = async (context) => {
  const { call, preferences, response, signal, upgrade, record, live, liveIdleSeconds } = context;
  if (upgrade === undefined) throw new Error('The order of refusals has no check of the upgrade.');
  if (preferences.code !== undefined && preferences.code !== '101') return sendDocumented(context);
  const { request, socket, head } = upgrade;
  responses.set(request, response);
  const closed = once(response, 'close');
  endpoint ??= makeEndpoint();
  endpoint.handleUpgrade(request, socket, head, (webSocket) => {
    response.statusCode = 101;
    holdConversation(webSocket, {
      receiver: live,
      model: call.headers[headerNames.model],
      idleSeconds: liveIdleSeconds,
      signal,
      onViolation: (violations) => record.violates(violations),
    });
  });
  await closed;
};

/** One for all mocks of the process: it keeps nothing of any socket. */
function makeEndpoint(): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A start message carries reference samples, like the body of an ordinary call.
    maxPayload: limits.requestBodyBytes,
    perMessageDeflate: false,
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
    if (response === undefined) return;
    sendJson(response, 400, { status: 400, message: `The upgrade is not valid: ${error.message}.` });
  });
  return server;
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { relayProtocol } from './defaults.ts';
import { Refusal } from './refusal.ts';

export function pathOf({ url }: IncomingMessage): string {
  return (url ?? '/').split('?')[0] ?? '/';
}

export function createSocketServer(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A compressed frame can be a bomb.
    perMessageDeflate: false,
    maxPayload,
    // The session answers pings itself, and stops while its answers pile up.
    autoPong: false,
    handleProtocols: () => relayProtocol,
  });
}

export function protocolsOf(headers: IncomingMessage['headers']): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

/** A header that tells the service the trace of a session. */
export function traceParent(traceId: string): string {
  return `00-${traceId}-${randomBytes(8).toString('hex')}-00`;
}

/** @throws Refusal 503 when the promise takes longer */
export async function withDeadline<Value>(
  promise: Value | PromiseLike<Value>,
  milliseconds: number,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal(503)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function answerUpgrade(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ status, message });
  // A socket whose other side never closes must be destroyed here.
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
}

export function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

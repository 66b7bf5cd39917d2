import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { headerNames } from '@speech-api/types/constants';
import { WebSocketServer } from 'ws';
import { relayProtocol } from './defaults.ts';
import { Refusal } from './refusal.ts';

/** The path of a request, without its query. */
export function pathOf({ url }: IncomingMessage): string {
  return (url ?? '/').split('?')[0] ?? '/';
}

/** Accepts upgrades that were decided upon. */
export function createSocketServer(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A compressed frame can be a bomb.
    perMessageDeflate: false,
    maxPayload,
    // The session answers pings itself, and none while its answers pile up.
    autoPong: false,
    handleProtocols: () => relayProtocol,
  });
}

/** The subprotocols that a client offers. */
export function protocolsOf(headers: IncomingMessage['headers']): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

/** The trace of a session or call. */
export interface Trace {
  readonly id: string;
  /** The flags of `traceparent`: whether whoever began the trace records it. */
  readonly flags: '00' | '01';
}

/** A header that tells the service the trace of a session or call. */
export function traceParent({ id, flags }: Trace): string {
  return `00-${id}-${randomBytes(8).toString('hex')}-${flags}`;
}

/** The trace of a request over HTTP: that of a valid `traceparent`, or a new one. The page's parent id goes no further. */
export function traceOf({ headers }: IncomingMessage): Trace {
  const [, version, id = '', parent = '', flags = '', rest] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(
      [headers[headerNames.traceparent]].flat().join(),
    ) ?? [];
  const isValid = version !== 'ff' && !(version === '00' && rest) && /[^0]/.test(id) && /[^0]/.test(parent);
  if (!isValid) return newTrace();
  return { id, flags: Number.parseInt(flags, 16) % 2 === 1 ? '01' : '00' };
}

export function newTrace(): Trace {
  return { id: randomBytes(16).toString('hex'), flags: '00' };
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

/** Refuses an upgrade as plain HTTP. */
export function answerUpgrade(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ status, message });
  // Nobody else ends a socket whose other side never does.
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
}

/** Answers with JSON. */
export function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

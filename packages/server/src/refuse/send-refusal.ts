import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { mediaTypes } from '@speech-api/types';
import { sendJson } from '../serve/send.ts';
import type { Refusal } from './refusal.ts';

/** How long a sender may go on after the refusal of a body that is too large. */
const lingerMilliseconds = 2_000;

const unauthorized = 401;
/** Section 5: always with a bearer key. */
const challenge = { 'www-authenticate': 'Bearer' };

/** Answers with the body the spec gives the refusal. */
export function sendRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const headers = refusal.status === unauthorized ? { ...challenge, ...refusal.headers } : refusal.headers;
  if (refusal.entry.stage !== 'body' || request.complete) {
    sendJson(response, refusal.status, refusal.body, headers);
    return;
  }
  // The rest of the body is still coming. Closing now would reset the connection and could take the answer with it, so
  // the answer goes out whole, what still comes is thrown away for a moment, and only then the connection is closed.
  const bytes = Buffer.from(JSON.stringify(refusal.body));
  response.writeHead(refusal.status, {
    ...headers,
    'content-type': mediaTypes.json,
    'content-length': bytes.length,
    connection: 'close',
  });
  response.write(bytes);
  const close = (): void => {
    clearTimeout(timer);
    response.end(() => request.destroy());
  };
  const timer = setTimeout(close, lingerMilliseconds);
  request.once('end', close);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

const statuses: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/** Answers bytes that are not an HTTP request and so never become a request object. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = statuses[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify({ status, message });
  const head = [
    `HTTP/1.1 ${status} Refused`,
    `content-type: ${mediaTypes.json}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

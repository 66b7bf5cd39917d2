import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { mediaTypes } from '@speech-api/types';
import { sendJson } from '../serve/send.ts';
import type { Refusal } from './refusal.ts';

const unauthorized = 401;
/** Always with a bearer key. */
const challenge = { 'www-authenticate': 'Bearer' };

/** Answers with the body the spec gives the refusal. Of a request that is not complete, the rest is not read. */
export function sendRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const hasBody = coding !== undefined || Number(length ?? 0) > 0;
  sendJson(response, refusal.status, refusal.body, {
    ...(refusal.status === unauthorized ? challenge : {}),
    ...refusal.headers,
    ...(hasBody && !request.complete ? { connection: 'close' } : {}),
  });
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

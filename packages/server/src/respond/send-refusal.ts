import type { IncomingMessage, ServerResponse } from 'node:http';
import { mediaTypes } from '@speech-api/types';
import type { Refusal } from '../refuse/refusal.ts';
import { sendJson } from './send-json.ts';

/** How long a sender may go on after it was told that its body is too large. */
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

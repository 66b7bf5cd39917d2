import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson, sendNothing } from '@speech-api/server';
import { faultHeader } from '../faults/faults-of.ts';
import type { MockContext } from './mock-context.ts';

/** Where the mock tells what came in; nothing of the interface begins so. */
export const callsPath = '/__mock/calls';

/** Preflights carry no key. */
export function answerPreflight(
  { origins }: MockContext,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { host, origin, 'access-control-request-method': wanted } = request.headers;
  if (request.method !== 'OPTIONS' || wanted === undefined) return false;
  origins.checkHost(host);
  origins.checkOrigin(origin);
  const headers = origins.preflightHeaders(origin);
  const allowed = [headers['access-control-allow-headers'], 'prefer', faultHeader].join(', ');
  response.writeHead(204, { ...headers, 'access-control-allow-headers': allowed }).end();
  return true;
}

/** `GET /__mock/calls` tells the calls, `DELETE` forgets them: for tests that are not written in JavaScript. */
export function answerOwnPage(
  { origins, log }: MockContext,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if ((request.url ?? '').split('?')[0] !== callsPath) return false;
  origins.checkHost(request.headers.host);
  origins.checkOrigin(request.headers.origin);
  if (request.method === 'DELETE') {
    log.clear();
    sendNothing(response);
  } else if (request.method === 'GET') {
    sendJson(response, 200, { invalid: log.invalid, calls: log.calls });
  } else {
    const message = `${callsPath} has GET and DELETE.`;
    sendJson(response, 405, { status: 405, message }, { allow: 'GET, DELETE' });
  }
  return true;
}

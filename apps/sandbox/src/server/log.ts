import type { IncomingMessage, ServerResponse } from 'node:http';

/** A connection that became a WebSocket: its answer was given, and it ends when the socket does. */
export const switchingProtocols = 101;

/** Takes one line of log. */
export type Logger = (line: string) => void;

/**
 * Writes one line once a request is over: method, path, status, time and trace id. Never a key, a query, a text or a
 * wallet's user id.
 */
export function logRequest(
  log: Logger,
  request: IncomingMessage,
  response: ServerResponse,
  traceId: string,
): void {
  // The page asks every few seconds.
  if (request.method === 'GET' && request.url?.startsWith('/__sandbox/')) return;
  const start = performance.now();
  response.once('close', () => {
    const took = Math.round(performance.now() - start);
    const done = response.writableFinished || response.statusCode === switchingProtocols;
    const outcome = done ? String(response.statusCode) : cutWords(response);
    log(`${request.method} ${loggedPath(request.url ?? '')} ${outcome} ${took}ms trace=${traceId}`);
  });
}

/** Writes why a request failed. The reason goes to the log only: an answer must not show the inside of the server. */
export function logFailure(log: Logger, error: unknown, traceId: string): void {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log(`failed trace=${traceId} ${reason}`);
}

function cutWords(response: ServerResponse): string {
  return response.headersSent ? `${response.statusCode} (cut)` : '(left)';
}

/** A path as it may be shown: without its query and without the user id of a wallet. */
export function loggedPath(url: string): string {
  const path = url.split('?')[0] ?? '';
  return path.replace(/^\/wallet\/[^/]+/, '/wallet/{user_id}').slice(0, 120);
}

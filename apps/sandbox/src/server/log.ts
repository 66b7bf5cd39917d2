import type { ServerResponse } from 'node:http';
import { type Exchange, reasonOf, switchingProtocols, withoutKey } from '@speech-api/server';
import { defaultModel, headerNames, operationTable, synthesisModels } from '@speech-api/types';
import type { CallRecorder, RecentCalls } from '../recent-calls.ts';

/** Takes one line of log. */
export type Logger = (line: string) => void;

/**
 * Writes one line once a request is over: method, path, status, time and trace id, and for a refused one the field and the
 * reason, also of a refused message of a live session. Never a key, a query, a text or a wallet's user id.
 */
export function logRequest(log: Logger, exchange: Exchange): void {
  const { request, response, traceId } = exchange;
  // The page asks every few seconds.
  if (request.method === 'GET' && request.url?.startsWith('/__sandbox/')) return;
  const start = performance.now();
  response.once('close', () => {
    const took = Math.round(performance.now() - start);
    const outcome = isComplete(response) ? String(response.statusCode) : cutWords(response);
    const line = `${request.method} ${loggedPath(exchange)} ${outcome} ${took}ms trace=${traceId}`;
    log(`${line}${refusalWords(exchange)}${modelWords(exchange)}`);
  });
}

function refusalWords({ refusal, key }: Exchange): string {
  return refusal === undefined ? '' : ` refused ${withoutKey(reasonOf(refusal), key)}`;
}

/** A misspelt model is answered with the default one: whoever reads the log should see that. */
function modelWords({ request, refusal, operation, key }: Exchange): string {
  const model = request.headers[headerNames.model];
  const isAsked = operation !== undefined && operationTable[operation.id].requiresModel;
  if (!isAsked || refusal !== undefined || typeof model !== 'string') return '';
  if (synthesisModels.some((known) => known === model)) return '';
  const shown = withoutKey(model, key).slice(0, 40);
  return ` note the model ${JSON.stringify(shown)} is unknown, ${defaultModel} speaks`;
}

function isComplete(response: ServerResponse): boolean {
  return response.writableFinished || response.statusCode === switchingProtocols;
}

/** Writes why a request failed. The reason goes to the log only: an answer must not show the inside of the server. */
export function logFailure(log: Logger, error: unknown, { traceId, key }: Exchange): void {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log(`failed trace=${traceId} ${withoutKey(reason, key)}`);
}

function cutWords(response: ServerResponse): string {
  return response.headersSent ? `${response.statusCode} (cut)` : '(left)';
}

/** What follows `/wallet/`, with each letter and slash plain or percent-encoded. */
const walletUser = /\/(?:w|%[57]7)(?:a|%[46]1)(?:l|%[46]c){2}(?:e|%[46]5)(?:t|%[57]4)(?:\/|%2f)+[^/]+/gi;

/** The path of a request as it may be shown: without its query, the user id of a wallet and the key. */
function loggedPath({ request, key }: Exchange): string {
  const path = request.url?.split('?')[0] ?? '';
  return withoutKey(path, key).replaceAll(walletUser, '/wallet/{user_id}').slice(0, 120);
}

/** Enters a call into the list of recent ones, and its outcome once it is over. */
export function recordCall(calls: RecentCalls, exchange: Exchange): CallRecorder {
  const { request, response, traceId, key } = exchange;
  const start = performance.now();
  const recorder = calls.begin({
    method: request.method ?? '',
    path: loggedPath(exchange),
    trace_id: traceId,
  });
  response.once('close', () => {
    const upgraded = response.statusCode === switchingProtocols;
    recorder.end({
      ...(response.headersSent || upgraded ? { status: response.statusCode } : {}),
      milliseconds: Math.round(performance.now() - start),
      state: isComplete(response) ? 'complete' : 'cut',
    });
  });
  return { ...recorder, remark: (message) => recorder.remark(withoutKey(message, key)) };
}

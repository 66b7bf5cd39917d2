import type { ServerResponse } from 'node:http';
import {
  type Exchange,
  type Operation,
  Refusal,
  reasonOf,
  type Service,
  switchingProtocols,
  type Visit,
  withoutKey,
  withoutValues,
} from '@speech-api/server';
import { headerNames, operationTable } from '@speech-api/types';
import type { OperationHandlers, OperationParts } from '../operations/context.ts';
import * as models from '../operations/models.ts';
import * as speech from '../operations/speech.ts';
import { createTranscription } from '../operations/transcription.ts';
import * as wallet from '../operations/wallet.ts';
import type { CallRecorder, RecentCalls } from '../recent-calls.ts';
import type { Account } from '../seed.ts';
import { answerKeptFile, answerOwnPage, keptFileUrl } from './own-pages.ts';

const handlers: OperationHandlers = {
  createSpeech: speech.createSpeech,
  streamSpeechWithTimestamps: speech.streamSpeechWithTimestamps,
  openLiveSession: speech.openLiveSession,
  createTranscription,
  ...models,
  ...wallet,
};

/** Dependencies for answering calls. */
export interface Sandbox extends OperationParts {
  readonly recentCalls: RecentCalls;
  /** Number of requests under way, by the id of their user. */
  readonly underWay: Map<string, number>;
}

/** Name of the sandbox in messages. */
export const serverName = 'sandbox';

/** What a server does with its requests, and with its failures. */
export function createService(
  sandbox: Sandbox,
  { log, release }: { readonly log: Logger; readonly release: () => Promise<void> },
): Service {
  return {
    name: serverName,
    release,
    onRequest: (exchange) => logRequest(log, exchange),
    answerOwnPage: async (exchange) =>
      (await answerKeptFile(sandbox.state.files, exchange)) || (await answerOwnPage(sandbox, exchange)),
    visit: (exchange) => visitSandbox(sandbox, exchange),
    onFailure: (error, exchange) => logFailure(log, error, exchange),
  };
}

/** A call on its way through the checks of the sandbox. */
interface Caller {
  readonly sandbox: Sandbox;
  readonly response: ServerResponse;
  /** Absent when the key is missing or unknown. */
  readonly account: Account | undefined;
}

/** Begins a call of the interface: who calls, whether they may, and what answers. */
function visitSandbox(sandbox: Sandbox, exchange: Exchange): Visit {
  const { request, response, signal, key } = exchange;
  const recorder: CallRecorder = recordCall(sandbox.recentCalls, exchange);
  const account = key === undefined ? undefined : sandbox.state.accounts.get(key);
  const caller: Caller = { sandbox, response, account };
  return {
    checks: {
      'key-unknown': () => checkKey(caller),
      forbidden: () => checkPermission(caller),
      concurrency: () => takePlace(caller),
      credit: (operation) => checkCredit(caller, operation),
    },
    answer(call) {
      if (account === undefined) throw new Error('The order of refusals has no check of the key.');
      const fileUrl = keptFileUrl(request.headers.host);
      return handlers[call.operation.id]({
        ...sandbox,
        call,
        exchange,
        account,
        response,
        signal,
        recorder,
        fileUrl,
      });
    },
    onRefusal: ({ message }) => recorder.remark(withoutValues(message)),
    onFaults: (words) => recorder.remark(`Fault: ${words}.`),
  };
}

function checkKey({ account }: Caller): void {
  if (account !== undefined) return;
  const message =
    'The sandbox does not know this API key. GET / of the sandbox shows one that works; --seed adds your own.';
  throw new Refusal('key-unknown', { message });
}

function checkPermission({ account }: Caller): void {
  if (account?.always !== 'forbidden') return;
  throw new Refusal('forbidden', { message: 'This key may not make this request.' });
}

function takePlace({ sandbox: { underWay }, account, response }: Caller): void {
  if (account === undefined) return;
  const id = account.user._id;
  const others = account.always === 'busy' ? account.concurrency : (underWay.get(id) ?? 0);
  const isFull = others >= account.concurrency;
  response.setHeader(headerNames.concurrencyLimit, account.concurrency);
  response.setHeader(headerNames.concurrencyInUse, isFull ? others : others + 1);
  if (isFull) {
    const message = `${account.concurrency} requests of this account are under way, which is its limit.`;
    throw new Refusal('concurrency', { message, headers: { [headerNames.retryAfter]: '1' } });
  }
  underWay.set(id, others + 1);
  response.once('close', () => underWay.set(id, (underWay.get(id) ?? 1) - 1));
}

function checkCredit({ sandbox: { state }, account }: Caller, operation: Operation | undefined): void {
  if (account === undefined || operation === undefined || !operationTable[operation.id].billed) return;
  if (state.wallets.read(account.user._id).available > 0n) return;
  throw new Refusal('credit', { message: 'The account has no credit left.' });
}

/** A function that writes one line to the log. */
export type Logger = (line: string) => void;

/**
 * Writes one line once a request is over: method, path, status, time and trace id, and for a refused one the field and the
 * reason, also of a refused message of a live session. Never a key, a query, a text or a wallet's user id.
 */
function logRequest(log: Logger, exchange: Exchange): void {
  const { request, response, traceId } = exchange;
  // This page polls every few seconds.
  if (request.method === 'GET' && request.url?.startsWith('/__sandbox/')) return;
  const start = performance.now();
  response.once('close', () => {
    const took = Math.round(performance.now() - start);
    const outcome = isComplete(response) ? String(response.statusCode) : cutWords(response);
    const line = `${request.method} ${loggedPath(exchange)} ${outcome} ${took}ms trace=${traceId}`;
    log(`${line}${refusalWords(exchange)}`);
  });
}

function refusalWords({ refusal, key }: Exchange): string {
  return refusal === undefined ? '' : ` refused ${withoutKey(reasonOf(refusal), key)}`;
}

function isComplete(response: ServerResponse): boolean {
  return response.writableFinished || response.statusCode === switchingProtocols;
}

/** Writes why a request failed. The reason goes to the log only: an answer must not show the inside of the server. */
function logFailure(log: Logger, error: unknown, { traceId, key }: Exchange): void {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log(`failed trace=${traceId} ${withoutKey(reason, key)}`);
}

function cutWords(response: ServerResponse): string {
  return response.headersSent ? `${response.statusCode} (cut)` : '(left)';
}

/** The path of a request as it may be shown: without its query, the user id of a wallet and the key. */
function loggedPath({ request, key }: Exchange): string {
  const path = request.url?.split('?')[0] ?? '';
  return withoutKey(path, key)
    .replace(/\/wallet\/[^/]+/, '/wallet/{user_id}')
    .slice(0, 120);
}

/** Enters a call into the list of recent ones, and its outcome once it is over. */
function recordCall(calls: RecentCalls, exchange: Exchange): CallRecorder {
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

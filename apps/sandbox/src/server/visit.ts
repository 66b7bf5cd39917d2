import {
  type Call,
  type CallLog,
  callsPath,
  type Outcome,
  Refusal,
  reasonOf,
  type Service,
  shownPath,
  type Visit,
  withoutKey,
} from '@speech-api/server';
import { headerNames } from '@speech-api/types';
import type { OperationHandlers, OperationParts } from '../operations/context.ts';
import * as models from '../operations/models.ts';
import * as speech from '../operations/speech.ts';
import { createTranscription } from '../operations/transcription.ts';
import * as wallet from '../operations/wallet.ts';
import type { Account } from '../seed.ts';
import { answerOwnPage, checkOwnOrigin, fileFolder, ownFolder } from './own-pages.ts';

const handlers: OperationHandlers = {
  createSpeech: speech.createSpeech,
  streamSpeechWithTimestamps: speech.streamSpeechWithTimestamps,
  openLiveSession: speech.openLiveSession,
  createTranscription,
  ...models,
  ...wallet,
};

export interface Sandbox extends OperationParts {
  readonly log: CallLog;
  /** Number of requests under way, by the id of their user. */
  readonly underWay: Map<string, number>;
}

export const serverName = 'sandbox';

/** What a server does with its requests, and with its failures. */
export function createService(
  sandbox: Sandbox,
  { write, release }: { readonly write: Logger; readonly release: () => Promise<void> },
): Service {
  return {
    name: serverName,
    log: sandbox.log,
    exampleKey: 'sandbox-key',
    release,
    checkOwnPage: checkOwnOrigin,
    answerOwnPage: (call) => (call.path.startsWith(ownFolder) ? answerOwnPage(sandbox, call) : undefined),
    visit: (call) => visitSandbox(sandbox, call),
    onEnd: (call, outcome) => logRequest(write, call, outcome),
    onFailure: (error, call) => logFailure(write, error, call),
  };
}

/** Begins a call of the interface: who calls, whether they may, and what answers. */
function visitSandbox(sandbox: Sandbox, call: Call): Visit {
  const { request, signal, key, traceId, isTimed } = call;
  const account = key === undefined ? undefined : sandbox.state.accounts.get(key);
  let leavePlace = (): void => {};
  return {
    checks: {
      'key-unknown': () => checkKey(account),
      forbidden: () => checkPermission(account),
      concurrency() {
        leavePlace = takePlace(sandbox, account, call);
      },
      credit: () => checkCredit(sandbox, account),
    },
    answer(received, record) {
      if (account === undefined) throw new Error('The order of refusals has no check of the key.');
      // As the caller of this request reaches the sandbox.
      const fileUrl = (name: string): string => `http://${request.headers.host ?? ''}${fileFolder}${name}`;
      const context = { ...sandbox, call: received, account, traceId, isTimed, signal, record, fileUrl };
      return handlers[received.operation.id](context);
    },
    onEnd: () => leavePlace(),
  };
}

type Caller = Account | undefined;

function checkKey(account: Caller): void {
  if (account !== undefined) return;
  const message =
    'The sandbox does not know this API key. GET / of the sandbox shows one that works; --seed adds your own.';
  throw new Refusal('key-unknown', { message });
}

function checkPermission(account: Caller): void {
  if (account?.always !== 'forbidden') return;
  throw new Refusal('forbidden', { message: 'This key may not make this request.' });
}

/** @returns leaves the place, when the call is over */
function takePlace({ underWay }: Sandbox, account: Caller, { answerHeaders }: Call): () => void {
  if (account === undefined) return () => {};
  const id = account.user._id;
  const others = account.always === 'busy' ? account.concurrency : (underWay.get(id) ?? 0);
  const isFull = others >= account.concurrency;
  answerHeaders[headerNames.concurrencyLimit] = String(account.concurrency);
  answerHeaders[headerNames.concurrencyInUse] = String(isFull ? others : others + 1);
  if (isFull) {
    const message = `${account.concurrency} requests of this account are under way, which is its limit.`;
    throw new Refusal('concurrency', { message, headers: { [headerNames.retryAfter]: '1' } });
  }
  underWay.set(id, others + 1);
  return () => underWay.set(id, (underWay.get(id) ?? 1) - 1);
}

function checkCredit({ state }: Sandbox, account: Caller): void {
  if (account === undefined || state.wallets.read(account.user._id).available > 0n) return;
  throw new Refusal('credit', { message: 'The account has no credit left.' });
}

/** A function that writes one line to the log. */
export type Logger = (line: string) => void;

/**
 * Writes one line once a request is over: method, path, status, time and trace id, and for a refused one the field and the
 * reason, also of a refused message of a live session. Never a key, a query, a text or a wallet's user id.
 */
function logRequest(log: Logger, call: Call, { status, isComplete, milliseconds }: Outcome): void {
  const { request, path, traceId, refusal, key } = call;
  // The page of the calls polls every few seconds.
  if (request.method === 'GET' && (path.startsWith(ownFolder) || path.startsWith(callsPath))) return;
  const outcome = status === undefined ? '(left)' : `${status}${isComplete ? '' : ' (cut)'}`;
  const reason = refusal === undefined ? '' : ` refused ${withoutKey(reasonOf(refusal), key)}`;
  log(`${request.method} ${shownPath(path, key)} ${outcome} ${milliseconds}ms trace=${traceId}${reason}`);
}

/** Writes why a request failed. The reason goes to the log only: an answer must not show the inside of the server. */
function logFailure(log: Logger, error: unknown, { traceId, key }: Call): void {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log(`failed trace=${traceId} ${withoutKey(reason, key)}`);
}

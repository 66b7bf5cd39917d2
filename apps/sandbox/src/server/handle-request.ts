import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type FaultyResponse,
  type Operation,
  type OriginPolicy,
  type Receiver,
  Refusal,
  sendRefusal,
  traceIdOf,
  type Upgrade,
} from '@speech-api/server';
import { headerNames, operationTable } from '@speech-api/types';
import type { Account } from '../accounts/account.ts';
import type { ConcurrencyCounter } from '../accounts/concurrency.ts';
import { readBearerKey } from '../accounts/key.ts';
import { type Chaos, chaosHeader, noChaos } from '../chaos/chaos.ts';
import { strike } from '../chaos/strike.ts';
import type { LiveEndpoint } from '../live/live-endpoint.ts';
import type { OperationHandlers, OperationSettings } from '../operations/context.ts';
import type { Recall } from '../recall/recall.ts';
import type { CallRecorder, RecentCalls } from '../recent-calls/recent-calls.ts';
import type { SpeechService } from '../speech/index.ts';
import type { State } from '../state/state.ts';
import type { Uploads } from '../uploads/index.ts';
import { answerKeptFile, keptFileUrl } from './kept-files.ts';
import { type Logger, logFailure, logRequest } from './log.ts';
import { answerOwnPage } from './own-pages.ts';
import { recordCall } from './record-call.ts';

/** What every request is answered with. */
export interface Sandbox {
  readonly receiver: Receiver;
  readonly origins: OriginPolicy;
  readonly handlers: OperationHandlers;
  readonly state: State;
  readonly settings: OperationSettings;
  readonly chaos: Chaos;
  readonly recentCalls: RecentCalls;
  readonly speech: SpeechService;
  readonly uploads: Uploads;
  readonly recall: Recall;
  readonly live: LiveEndpoint;
  readonly concurrency: ConcurrencyCounter;
  readonly log: Logger;
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal;
}

/** What comes with a request that is not only one. */
export interface RequestExtras {
  /** Called when the body is about to be read. */
  readonly beforeBody?: () => void;
  /** The connection, where it is to be changed to a WebSocket. */
  readonly upgrade?: Upgrade;
}

/** Answers one request, whatever it is and whatever goes wrong. */
export async function handleRequest(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: FaultyResponse,
  extras: RequestExtras = {},
): Promise<void> {
  const traceId = traceIdOf(request);
  const gone = new AbortController();
  logRequest(sandbox.log, request, response, traceId);
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  response.on('error', () => gone.abort());
  response.setHeader(headerNames.traceId, traceId);
  for (const [name, value] of Object.entries(sandbox.origins.headersFor(request.headers.origin))) {
    response.setHeader(name, value);
  }
  const signal = AbortSignal.any([gone.signal, sandbox.closing]);
  try {
    if (await answerWithoutKey(sandbox, request, response)) return;
    const recorder = recordCall(sandbox.recentCalls, request, response, traceId);
    await answer(sandbox, request, response, { ...extras, signal, traceId, recorder }).catch(
      (error: unknown) => {
        if (error instanceof Refusal) recorder.remark(error.message);
        throw error;
      },
    );
  } catch (error) {
    answerFailure(sandbox, request, response, error, traceId);
  }
}

interface CallParts extends RequestExtras {
  readonly signal: AbortSignal;
  readonly traceId: string;
  readonly recorder: CallRecorder;
}

async function answer(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: FaultyResponse,
  { signal, traceId, recorder, beforeBody, upgrade }: CallParts,
): Promise<void> {
  const { origins, state, speech, settings, live, log, uploads, recall } = sandbox;
  const { host, origin, authorization } = request.headers;
  const key = readBearerKey(authorization);
  const account = state.accounts.byKey(key);
  const checks = {
    'foreign-host': () => origins.checkHost(host),
    'foreign-origin': () => origins.checkOrigin(origin),
    'key-missing': () => {
      const message = 'The header `Authorization: Bearer <API_KEY>` is missing or has another form.';
      if (key === undefined) throw new Refusal('key-missing', { message });
    },
    'key-unknown': () => {
      const message = 'The API key is not one that this sandbox knows. Its README lists the keys that work.';
      if (account === undefined) throw new Refusal('key-unknown', { message });
    },
    forbidden: () => {
      const message = 'This key may not make this request.';
      if (account?.always === 'forbidden') throw new Refusal('forbidden', { message });
    },
    concurrency: () => {
      if (account) takePlace(sandbox.concurrency, account, response);
    },
    credit: (operation: Operation | undefined) => {
      if (account === undefined || operation === undefined || !operationTable[operation.id].billed) return;
      const message = 'The account has no credit left.';
      if (state.wallets.read(account.user._id).available === 0n) throw new Refusal('credit', { message });
    },
    'upgrade-required': () => {
      if (upgrade !== undefined) return;
      const message = 'This address is for WebSockets: send the headers of an upgrade.';
      throw new Refusal('upgrade-required', {
        message,
        headers: { upgrade: 'websocket', connection: 'upgrade' },
      });
    },
  };
  const call = await sandbox.receiver.receive(request, checks, beforeBody);
  if (account === undefined) throw new Error('The order of refusals has no check of the key.');
  const faults = sandbox.chaos.faultsFor(request);
  if (faults !== undefined && (await strike(faults, response, { signal, recorder }))) return;
  const fileUrl = keptFileUrl(host);
  const about = { call, account, response, signal, upgrade, traceId, recorder, fileUrl };
  await sandbox.handlers[call.operation.id]({
    ...about,
    state,
    speech,
    live,
    settings,
    log,
    uploads,
    recall,
  });
}

/** Preflights carry no key, and the sandbox's own pages and kept files need none. */
async function answerWithoutKey(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { origins, state, chaos, recentCalls, uploads, recall } = sandbox;
  const { host, origin, 'access-control-request-method': wanted } = request.headers;
  if (request.method === 'OPTIONS' && wanted !== undefined) {
    origins.checkHost(host);
    origins.checkOrigin(origin);
    const headers = origins.preflightHeaders(origin);
    const allowed = [headers['access-control-allow-headers'], ...(chaos === noChaos ? [] : [chaosHeader])];
    response.writeHead(204, { ...headers, 'access-control-allow-headers': allowed.join(', ') }).end();
    return true;
  }
  return (
    (await answerKeptFile({ origins, files: state.files }, request, response)) ||
    (await answerOwnPage({ origins, state, recentCalls, uploads, recall }, request, response))
  );
}

function takePlace(concurrency: ConcurrencyCounter, account: Account, response: ServerResponse): void {
  const leave = concurrency.enter(account);
  response.setHeader(headerNames.concurrencyLimit, account.concurrency);
  response.setHeader(headerNames.concurrencyInUse, concurrency.current(account));
  if (leave === undefined) {
    const message = `${account.concurrency} requests of this account are under way, as many as it may have.`;
    throw new Refusal('concurrency', { message, headers: { [headerNames.retryAfter]: '1' } });
  }
  response.once('close', leave);
}

function answerFailure(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  traceId: string,
): void {
  // Cut by a failure after the first byte, or left by the caller: there is nobody to answer.
  const cut = response.headersSent || response.destroyed;
  if (!(error instanceof Refusal) && !isAbort(error)) logFailure(sandbox.log, error, traceId);
  if (cut) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  if (error instanceof Refusal) sendRefusal(request, response, error);
  else if (isAbort(error))
    sendRefusal(request, response, new Refusal('overloaded', { message: 'The sandbox is closing.' }));
  else
    sendRefusal(
      request,
      response,
      new Refusal('fault', {
        message: `The sandbox failed; its log has the reason under the trace id ${traceId}.`,
      }),
    );
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

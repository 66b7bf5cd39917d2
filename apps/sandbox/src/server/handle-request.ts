import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerNames, operationTable } from '@speech-api/types';
import { type Operation, type OriginPolicy, type Receiver, Refusal } from '@speech-api/wire';
import type { Account } from '../accounts/account.ts';
import type { ConcurrencyCounter } from '../accounts/concurrency.ts';
import { readBearerKey } from '../accounts/key.ts';
import type { LiveEndpoint } from '../live/live-endpoint.ts';
import type { Upgrade } from '../live/upgrade.ts';
import type { OperationHandlers, OperationSettings } from '../operations/context.ts';
import type { Recall } from '../recall/recall.ts';
import type { SpeechService } from '../speech/index.ts';
import type { State } from '../state/state.ts';
import { newTraceId, readTraceId } from '../trace.ts';
import type { Uploads } from '../uploads/index.ts';
import { answerKeptFile, keptFileUrl } from './kept-files.ts';
import { type Logger, logFailure, logRequest } from './log.ts';
import { answerOwnPage } from './own-pages.ts';
import { sendRefusal } from './send-refusal.ts';

/** What every request is answered with. */
export interface Sandbox {
  readonly receiver: Receiver;
  readonly origins: OriginPolicy;
  readonly handlers: OperationHandlers;
  readonly state: State;
  readonly settings: OperationSettings;
  readonly speech: SpeechService;
  readonly live: LiveEndpoint;
  readonly uploads: Uploads;
  readonly recall: Recall;
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
  response: ServerResponse,
  extras: RequestExtras = {},
): Promise<void> {
  const traceId = newTraceIdOf(request);
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
    await answer(sandbox, request, response, { ...extras, signal, traceId });
  } catch (error) {
    answerFailure(sandbox, request, response, error, traceId);
  }
}

async function answer(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
  { signal, traceId, beforeBody, upgrade }: RequestExtras & { signal: AbortSignal; traceId: string },
): Promise<void> {
  const { origins, state, speech, settings, live, uploads, recall, log } = sandbox;
  const { host, origin, authorization } = request.headers;
  if (await answerWithoutKey(sandbox, request, response)) return;

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
      const message = 'The API key is not one that this sandbox knows; `sandbox-key` works out of the box.';
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
  const fileUrl = keptFileUrl(host);
  const about = { call, account, response, signal, upgrade, traceId, fileUrl };
  await sandbox.handlers[call.operation.id]({
    ...about,
    state,
    speech,
    live,
    uploads,
    recall,
    settings,
    log,
  });
}

/** Preflights carry no key, and the sandbox's own pages and kept files need none. */
async function answerWithoutKey(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { origins, state, uploads, recall } = sandbox;
  const { host, origin, 'access-control-request-method': wanted } = request.headers;
  if (request.method === 'OPTIONS' && wanted !== undefined) {
    origins.checkHost(host);
    origins.checkOrigin(origin);
    response.writeHead(204, origins.preflightHeaders(origin)).end();
    return true;
  }
  return (
    (await answerKeptFile({ origins, files: state.files }, request, response)) ||
    (await answerOwnPage({ origins, state, uploads, recall }, request, response))
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

/** Section 4.7: the endpoints that take `traceparent` continue a valid trace; all others start their own. */
function newTraceIdOf(request: IncomingMessage): string {
  const path = (request.url ?? '').split('?')[0];
  const traced = Object.values(operationTable).some((each) => each.acceptsTraceparent && each.path === path);
  const header = [request.headers[headerNames.traceparent]].flat().join(',');
  return (traced ? readTraceId(header) : undefined) ?? newTraceId();
}

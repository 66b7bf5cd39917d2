import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerNames } from '@speech-api/types';
import { type FaultPlan, type Faults, faultHeader, planFaults } from '../faults/faults.ts';
import { CutOnPurpose, giveFaults } from '../faults/misbehave.ts';
import { checkUpgrade, responseTo, takeTimestamps, type Upgrade, wantsUpgrade } from '../live/endpoint.ts';
import type { ReceivedCall, Receiver, ServerChecks } from '../receive/receive.ts';
import { Refusal } from '../refuse/refusal.ts';
import { answerBrokenRequest, sendRefusal } from '../refuse/send-refusal.ts';
import type { Operation } from '../spec/operations.ts';
import { type LingerLimits, lingerOn } from './linger.ts';
import { OriginPolicy } from './origins.ts';
import { sendJson } from './send.ts';
import { traceIdOf } from './trace.ts';

/** A server's handling of one call of the interface. */
export interface Visit {
  /** The checks that need the server's own knowledge, by the id of their refusal. */
  readonly checks: ServerChecks;
  /** Receives a call that passed all checks, before its faults are applied. */
  onReceived?(call: ReceivedCall): void;
  /** Answers a call that passed all checks; may still throw a `Refusal`. */
  answer(call: ReceivedCall): void | Promise<void>;
  /** Receives why the call, or a message of its live session, was refused. */
  onRefusal?(refusal: Refusal): void;
  /** Receives the faults that the answer gets, as they were asked for. */
  onFaults?(words: string): void;
}

/** The service inside the shell of a server. */
export interface Service {
  /** Name of the server in messages: `mock`, `sandbox`. */
  readonly name: string;
  /** Request headers that a page may send in addition to those of the interface. */
  readonly requestHeaders?: readonly string[];
  /** Called first for every request, preflights and pages of the server's own included. */
  onRequest?(exchange: Exchange): void;
  /** Answers a page of the server's own, which needs no key. @returns whether the request was for one */
  answerOwnPage(exchange: Exchange): boolean | Promise<boolean>;
  /** Begins a call of the interface. */
  visit(exchange: Exchange): Visit;
  /** Receives why the server itself failed. */
  onFailure(error: unknown, exchange: Exchange): void;
  /** Called while closing, when every connection is gone: stops what still works for calls that were cut. */
  release?(): Promise<void>;
}

/** Options of {@link startServer}. */
export interface ServeOptions {
  readonly service: Service;
  readonly receiver: Receiver;
  /** 0 for any free port. @defaultValue 0 */
  readonly port?: number | undefined;
  /** The address to bind to. @defaultValue `127.0.0.1` */
  readonly host?: string | undefined;
  /** Origins that may call in addition to the loopback ones. */
  readonly allowOrigin?: readonly string[] | undefined;
  /** Fault rules; `undefined` turns faults off, the request header included. */
  readonly faults?: readonly string[] | undefined;
  /** Whether to serve live sessions with word times, which are not in the interface. @defaultValue false */
  readonly liveTimestamps?: boolean | undefined;
  /** Limits for a sender that continues after an answer to an incomplete request. */
  readonly linger?: LingerLimits | undefined;
}

/** A server that is listening. */
export interface RunningServer {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, cuts what is still under way and waits until all work has ended. Later calls wait for the same. */
  close(): Promise<void>;
}

interface Shell {
  readonly service: Service;
  readonly receiver: Receiver;
  readonly origins: OriginPolicy;
  readonly faults: FaultPlan;
  readonly closing: AbortSignal;
}

/** Options of `node:http`, with the time limits for callers. */
const httpServerOptions = {
  // A missing Host is refused like a foreign one, with a body.
  requireHostHeader: false,
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  // Long enough for the largest body over a slow line.
  requestTimeout: 300_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** A connection that is silent for longer is cut: its reader would hold on to what answers it. */
const stalledMilliseconds = 300_000;
/** Time after `close` until everything still under way is cut. */
const graceMilliseconds = 250;

/**
 * Starts a server: listens, upgrades, checks in the order of the spec's refusals, applies faults, answers failures, closes.
 *
 * @throws Error with the code of the system, such as `EADDRINUSE`, when it cannot listen; for a fault rule or an origin that
 * is not valid
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1';
  const closing = new AbortController();
  const shell: Shell = {
    service: options.service,
    receiver: options.receiver,
    origins: new OriginPolicy({ host, allowOrigin: options.allowOrigin ?? [] }),
    faults: planFaults(options.faults),
    closing: closing.signal,
  };
  const { liveTimestamps = false } = options;
  const server = createServer({
    ...httpServerOptions,
    shouldUpgradeCallback: (request: IncomingMessage) => wantsUpgrade(request, liveTimestamps),
  });
  server.timeout = stalledMilliseconds;
  const lingerer = lingerOn(server, options.linger);
  const underWay = new Set<Promise<void>>();
  const owed = new WeakMap<Duplex, Set<ServerResponse>>();
  const handle = (request: IncomingMessage, response: ServerResponse, extras?: RequestExtras): void => {
    const { socket } = request;
    if (lingerer.isLingering(socket)) return;
    lingerer.begins(request);
    const answers = owed.get(socket) ?? new Set();
    owed.set(socket, answers.add(response));
    response.once('close', () => answers.delete(response));
    const handled = handleRequest(shell, request, response, extras).finally(() => underWay.delete(handled));
    underWay.add(handled);
  };
  server.on('request', (request, response) => handle(request, response));
  // The head alone can refuse a large upload; only a request that passes gets `100 Continue`.
  server.on('checkContinue', (request, response) => {
    handle(request, response, { beforeBody: () => response.writeContinue() });
  });
  server.on('upgrade', (request, socket, head) => {
    const withTimestamps = takeTimestamps(request);
    const upgrade = { request, socket, head, withTimestamps };
    handle(request, responseTo(upgrade), { upgrade });
  });
  server.on('clientError', async (error, socket) => {
    // Requests that came before the garbage are answered first.
    const answers = [...(owed.get(socket) ?? [])].filter(({ req: request }) => request.complete);
    await Promise.all(answers.map((answer) => once(answer, 'close')));
    if (lingerer.isLingering(socket as Socket)) socket.destroy();
    else answerBrokenRequest(error, socket);
  });
  const address = await listen(server, options.port ?? 0, host);

  const shutDown = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    closing.abort();
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
    await closed;
    clearTimeout(timer);
    await options.service.release?.();
    await Promise.all(underWay);
  };
  let closed: Promise<void> | undefined;
  return {
    ...address,
    close() {
      closed ??= shutDown();
      return closed;
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<{ url: string; port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: given } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${given}`, port: given };
}

/** Properties of some requests only. */
interface RequestExtras {
  /** Called when the body is about to be read. */
  readonly beforeBody?: () => void;
  readonly upgrade?: Upgrade;
}

/** Answers one request, whatever it is and whatever goes wrong. */
async function handleRequest(
  shell: Shell,
  request: IncomingMessage,
  response: ServerResponse,
  { upgrade, beforeBody }: RequestExtras = {},
): Promise<void> {
  const { service, origins } = shell;
  const exchange = new Exchange(shell, request, response, upgrade);
  service.onRequest?.(exchange);
  response.setHeader(headerNames.traceId, exchange.traceId);
  for (const [name, value] of Object.entries(origins.headersFor(request.headers.origin))) {
    response.setHeader(name, value);
  }
  try {
    if (answerPreflight(shell, exchange) || (await service.answerOwnPage(exchange))) return;
    await answerCall(shell, exchange, beforeBody);
  } catch (error) {
    answerFailure(shell, exchange, error);
  }
}

/** One request and its answer, from the head to the close of the connection. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Absent unless the request asks to become a WebSocket. */
  readonly upgrade: Upgrade | undefined;
  readonly traceId: string;
  /** The key of the caller, where the header has the form of one. Never for a log. */
  readonly key: string | undefined;
  /** Aborted when the caller is gone or the server closes. */
  readonly signal: AbortSignal;
  readonly origins: OriginPolicy;
  /** Absent until the path and the method are known to be those of an operation. */
  operation: Operation | undefined;
  /** Refusal of the request, or of the last refused message of its live session. */
  refusal: Refusal | undefined;
  visit: Visit | undefined;
  readonly #service: Service;

  constructor(
    { service, closing, origins }: Shell,
    request: IncomingMessage,
    response: ServerResponse,
    upgrade: Upgrade | undefined,
  ) {
    const gone = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    response.on('error', () => gone.abort());
    this.#service = service;
    this.request = request;
    this.response = response;
    this.upgrade = upgrade;
    this.origins = origins;
    this.traceId = traceIdOf(request);
    this.key = readBearerKey(request.headers.authorization);
    this.signal = AbortSignal.any([gone.signal, closing]);
  }

  noteRefusal(refusal: Refusal): void {
    this.refusal = refusal;
    this.visit?.onRefusal?.(refusal);
  }

  /** Reports why the server itself failed. */
  noteFailure(error: unknown): void {
    this.#service.onFailure(error, this);
  }
}

/** Preflights carry no key. */
function answerPreflight({ origins, service, faults }: Shell, { request, response }: Exchange): boolean {
  const { origin, 'access-control-request-method': wanted } = request.headers;
  if (request.method !== 'OPTIONS' || wanted === undefined) return false;
  origins.checkHost(request.headersDistinct.host);
  origins.checkOrigin(origin);
  const more = [...(service.requestHeaders ?? []), ...(faults.obeysHeader ? [faultHeader] : [])];
  response.writeHead(204, origins.preflightHeaders(origin, more)).end();
  return true;
}

async function answerCall(
  { service, receiver, faults }: Shell,
  exchange: Exchange,
  beforeBody: (() => void) | undefined,
): Promise<void> {
  const { request, response, signal } = exchange;
  const visit = service.visit(exchange);
  exchange.visit = visit;
  const checks: ServerChecks = {
    'foreign-host': () => exchange.origins.checkHost(request.headersDistinct.host),
    'foreign-origin': () => exchange.origins.checkOrigin(request.headers.origin),
    'key-missing': (operation) => {
      exchange.operation = operation;
      checkKeyForm(exchange);
    },
    'upgrade-required': () => checkUpgrade(exchange),
    ...visit.checks,
  };
  const call = await receiver.receive(request, checks, { beforeBody, signal });
  visit.onReceived?.(call);
  const asked = faults.faultsFor(request);
  if (asked !== undefined) {
    visit.onFaults?.(describeFaults(asked));
    if (asked.delayMilliseconds !== undefined) await sleep(asked.delayMilliseconds, undefined, { signal });
    giveFaults(response, asked);
    if (asked.status !== undefined) return sendFault(response, asked.status, service.name);
  }
  await visit.answer(call);
}

/** Statuses that ask the caller to come again. */
const passing: readonly number[] = [429, 503];

function sendFault(response: ServerResponse, status: number, server: string): void {
  const headers: Record<string, string> = passing.includes(status) ? { [headerNames.retryAfter]: '1' } : {};
  sendJson(response, status, { status, message: `The ${server} was asked to answer ${status}.` }, headers);
}

function describeFaults(asked: Faults): string {
  return Object.entries(asked)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

/** The key of an Authorization header, or `undefined` when the header is absent or has another form. */
export function readBearerKey(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w\-.~+/]+=*) *$/i.exec(authorization ?? '')?.[1];
}

function checkKeyForm({ key }: Exchange): void {
  if (key !== undefined) return;
  const message = 'The header `Authorization: Bearer <API_KEY>` is missing or has another form.';
  throw new Refusal('key-missing', { message });
}

function answerFailure({ service }: Shell, exchange: Exchange, error: unknown): void {
  const { request, response, traceId } = exchange;
  if (error instanceof Refusal) exchange.noteRefusal(error);
  else if (!isAbort(error) && !(error instanceof CutOnPurpose)) exchange.noteFailure(error);
  // Cut by a failure after the first byte, or left by the caller: no answer can be sent.
  if (response.headersSent || response.destroyed) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  sendRefusal(request, response, error instanceof Refusal ? error : refusalOf(error, service.name, traceId));
}

/** The reason of a failure goes to the log only: an answer must not show the inside of the server. */
function refusalOf(error: unknown, server: string, traceId: string): Refusal {
  if (isAbort(error)) return new Refusal('overloaded', { message: `The ${server} is closing.` });
  const message = `The ${server} failed; its log has the reason under the trace id ${traceId}.`;
  return new Refusal('fault', { message });
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

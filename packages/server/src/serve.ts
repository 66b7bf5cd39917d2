import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerNames } from '@speech-api/types';
import { Exchange, type Service, type Shell, type Upgrade } from './exchange.ts';
import { CutOnPurpose, type Faults, faultHeader, giveFaults, planFaults } from './faults.ts';
import { checkUpgrade, responseTo, takeTimestamps, wantsUpgrade } from './live/endpoint.ts';
import { OriginPolicy } from './origins.ts';
import type { Receiver, ServerChecks } from './receive.ts';
import { Refusal } from './refusal.ts';
import { answerBrokenRequest, sendJson, sendRefusal } from './send.ts';

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
}

/** A server that is listening. */
export interface RunningServer {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, cuts what is still under way and waits until all work has ended. Later calls wait for the same. */
  close(): Promise<void>;
}

/** Options of `node:http`, with the time limits for callers. */
const httpServerOptions = {
  // A missing Host is refused like a foreign one, with a body.
  requireHostHeader: false,
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  // Milliseconds that suffice for the largest body over a slow line.
  requestTimeout: 300_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** A silent connection is cut after this time, because its reader would hold the answer's producer. */
const stalledMilliseconds = 300_000;
/** Milliseconds after `close` until calls under way are cut. */
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
  const underWay = new Set<Promise<void>>();
  const handle = (request: IncomingMessage, response: ServerResponse, extras?: RequestExtras): void => {
    const handled = handleRequest(shell, request, response, extras).finally(() => underWay.delete(handled));
    underWay.add(handled);
  };
  server.on('request', (request, response) => handle(request, response));
  // A large upload can be refused by its head; only an accepted request gets `100 Continue`.
  server.on('checkContinue', (request, response) => {
    handle(request, response, { beforeBody: () => response.writeContinue() });
  });
  server.on('upgrade', (request, socket, head) => {
    const withTimestamps = takeTimestamps(request);
    const upgrade = { request, socket, head, withTimestamps };
    handle(request, responseTo(upgrade), { upgrade });
  });
  server.on('clientError', answerBrokenRequest);
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
  const { port: actualPort } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${actualPort}`, port: actualPort };
}

/** Properties of some requests only. */
interface RequestExtras {
  /** Called when the body is about to be read. */
  readonly beforeBody?: () => void;
  readonly upgrade?: Upgrade;
}

/** Answers one request, whatever goes wrong. */
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

/** Preflights carry no key. */
function answerPreflight({ origins, service, faults }: Shell, { request, response }: Exchange): boolean {
  const { origin, 'access-control-request-method': method } = request.headers;
  if (request.method !== 'OPTIONS' || method === undefined) return false;
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
  const call = await receiver.receive(request, checks, beforeBody);
  visit.onReceived?.(call);
  const fault = faults.faultsFor(request);
  if (fault !== undefined) {
    visit.onFaults?.(describeFaults(fault));
    if (fault.delayMilliseconds !== undefined) await sleep(fault.delayMilliseconds, undefined, { signal });
    giveFaults(response, fault);
    if (fault.status !== undefined) return sendFault(response, fault.status, service.name);
  }
  await visit.answer(call);
}

/** Statuses after which the caller may retry. */
const passing: readonly number[] = [429, 503];

function sendFault(response: ServerResponse, status: number, server: string): void {
  const headers: Record<string, string> = passing.includes(status) ? { [headerNames.retryAfter]: '1' } : {};
  sendJson(response, status, { status, message: `The ${server} was asked to answer ${status}.` }, headers);
}

function describeFaults(fault: Faults): string {
  return Object.entries(fault)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

function checkKeyForm({ key }: Exchange): void {
  if (key !== undefined) return;
  const message = 'The header `Authorization: Bearer <API_KEY>` is missing or has another form.';
  throw new Refusal('key-missing', { message });
}

function answerFailure({ service }: Shell, exchange: Exchange, error: unknown): void {
  const { response, traceId } = exchange;
  if (error instanceof Refusal) exchange.noteRefusal(error);
  else if (!isAbort(error) && !(error instanceof CutOnPurpose)) exchange.noteFailure(error);
  // The answer was cut after its first byte, or the caller left: no other answer can be sent.
  if (response.headersSent || response.destroyed) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  sendRefusal(response, error instanceof Refusal ? error : refusalOf(error, service.name, traceId));
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

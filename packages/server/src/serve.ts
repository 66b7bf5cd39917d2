import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { onWebSocket } from '@speech-api/program/web-socket';
import { liveTimestampsPath, mediaTypes, operationTable } from '@speech-api/types';
import type { Answer } from './answer.ts';
import { type AnsweringParts, answerCall, Call, type Service } from './call.ts';
import { planFaults } from './faults.ts';
import { type AcceptUpgrade, createLiveEndpoint, responseTo, type Upgrade } from './live/endpoint.ts';
import type { LiveReceiver } from './live/messages.ts';
import { OriginPolicy } from './origins.ts';
import type { IncomingRequest, Receiver } from './receive.ts';
import { isBytes } from './schema.ts';

export interface ServeOptions {
  readonly service: Service;
  readonly receiver: Receiver;
  readonly live: LiveOptions;
  /** 0 for any free port. @defaultValue 0 */
  readonly port?: number | undefined;
  /** The address to bind to. @defaultValue `127.0.0.1` */
  readonly host?: string | undefined;
  /** Origins that may call in addition to the loopback ones. */
  readonly allowOrigin?: readonly string[] | undefined;
  /** Fault rules; `undefined` turns faults off, the request header included. */
  readonly faults?: readonly string[] | undefined;
}

export interface LiveOptions {
  readonly receiver: LiveReceiver;
  /** Seconds a socket stays open without a session. */
  readonly idleSeconds: number;
  /** Whether to serve sessions with word times, which are not in the interface. @defaultValue false */
  readonly timestamps?: boolean;
}

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
 * Starts a server: listens, turns requests into calls, upgrades, writes the answers, closes.
 *
 * @throws Error with the code of the system, such as `EADDRINUSE`, when it cannot listen; for a fault rule or an origin that
 * is not valid
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { service, receiver, live, host = '127.0.0.1', allowOrigin = [] } = options;
  const closing = new AbortController();
  const origins = new OriginPolicy({ host, allowOrigin });
  const parts: HandlingParts = {
    service,
    receiver,
    origins,
    faults: planFaults(options.faults, service.log),
    acceptUpgrade: createLiveEndpoint({ ...live, server: service.name }),
    hasTimestamps: live.timestamps ?? false,
    closing: closing.signal,
  };
  const server = createServer(httpServerOptions);
  server.timeout = stalledMilliseconds;
  const underWay = new Set<Promise<void>>();

  const handle = (request: IncomingMessage, response: ServerResponse, extras?: RequestExtras): void => {
    const handled = handleRequest(parts, request, response, extras).finally(() => underWay.delete(handled));
    underWay.add(handled);
  };
  server.on('request', (request, response) => handle(request, response));
  // A large upload can be refused by its head; only an accepted request gets `100 Continue`.
  server.on('checkContinue', (request, response) => {
    handle(request, response, { beforeBody: () => response.writeContinue() });
  });
  onWebSocket(server, (request, socket, head) => {
    const upgrade = { request, socket, head };
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
    await service.release?.();
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

interface RequestExtras {
  readonly beforeBody?: () => void;
  readonly upgrade?: Upgrade;
}

interface HandlingParts extends AnsweringParts {
  readonly acceptUpgrade: AcceptUpgrade;
  readonly hasTimestamps: boolean;
  readonly closing: AbortSignal;
}

async function handleRequest(
  parts: HandlingParts,
  request: IncomingMessage,
  response: ServerResponse,
  { upgrade, beforeBody }: RequestExtras = {},
): Promise<void> {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, parts.closing]);
  const isUpgrade = upgrade !== undefined;
  const { incoming, isTimed } = readRequest(request, isUpgrade && parts.hasTimestamps, beforeBody);
  const call = new Call(parts, incoming, { signal, isTimed, isUpgrade });
  let isAccepted = false;
  response.on('error', () => gone.abort());
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
    call.ends(response.writableFinished || isAccepted);
  });
  const answer = await answerCall(parts, call);
  // A connection that is closed with unread bytes is reset, and a sender that writes all before it reads sees no answer.
  request.resume();
  if (answer === undefined) {
    request.socket.resetAndDestroy();
    return;
  }
  if (!response.destroyed) call.answers(answer);
  if (upgrade === undefined || answer.live === undefined) {
    await writeAnswer(response, answer, signal).catch((error) => call.noteFailure(error));
  } else if (!response.destroyed) {
    isAccepted = true;
    await parts.acceptUpgrade(upgrade, call, answer);
  }
}

/** An upgrade for word times is the same request without them, which the interface knows. */
function readRequest(
  request: IncomingMessage,
  mayBeTimed: boolean,
  beforeBody: (() => void) | undefined,
): { readonly incoming: IncomingRequest; readonly isTimed: boolean } {
  const { method = '', url = '', headers, headersDistinct } = request;
  // Of several, Node gives the first, while a proxy in front may have checked another.
  const host = headersDistinct.host && [...new Set(headersDistinct.host)].join(', ');
  const [path, query] = url.split(/(?=\?)/);
  const isTimed = mayBeTimed && path === liveTimestampsPath;
  return {
    isTimed,
    incoming: {
      method,
      url: isTimed ? operationTable.openLiveSession.path + (query ?? '') : url,
      // Only `set-cookie`, which no request has, would be a list.
      headers: { ...(headers as IncomingRequest['headers']), host },
      body: bodyOf(request, beforeBody),
    },
  };
}

/** The rest of a refused body is read and thrown away later, so leaving this loop does not destroy the request. */
async function* bodyOf(request: IncomingMessage, beforeBody: (() => void) | undefined) {
  beforeBody?.();
  yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
}

/** Asks for the next piece when the connection has taken the last. @throws what the body throws, after the connection was cut */
async function writeAnswer(
  response: ServerResponse,
  { status, headers, body }: Answer,
  signal: AbortSignal,
): Promise<void> {
  const { connection } = headers;
  // With a header of ours, Node would keep a connection that its caller closes.
  const closes = connection !== undefined && !response.shouldKeepAlive;
  response.writeHead(status, closes ? { ...headers, connection: `${connection}, close` } : headers);
  if (body === undefined || isBytes(body)) {
    response.end(body);
    return;
  }
  let written: Promise<void> | undefined;
  try {
    for await (const bytes of body) {
      signal.throwIfAborted();
      let isDrained = true;
      written = new Promise((resolve) => {
        isDrained = response.write(bytes, () => resolve());
      });
      if (!isDrained) await once(response, 'drain', { signal });
    }
    // An aborted body may end without an error, but its answer is incomplete.
    signal.throwIfAborted();
    response.end();
  } catch (error) {
    // The head and the pieces made before the failure are still delivered.
    if (!signal.aborted) await Promise.race([written ?? headWritten(response), once(response, 'close')]);
    response.destroy();
    throw error;
  }
}

function headWritten(response: ServerResponse): Promise<void> {
  response.flushHeaders();
  return new Promise((resolve) => {
    response.socket?.write('', () => resolve());
  });
}

const statuses: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/** Answers bytes that are not HTTP and never become a request object. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = statuses[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify({ status, message });
  const head = [
    `HTTP/1.1 ${status} Refused`,
    `content-type: ${mediaTypes.json}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

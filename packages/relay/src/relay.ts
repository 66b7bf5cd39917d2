import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { headerNames } from '@speech-api/types/constants';
import { operationTable } from '@speech-api/types/operations';
import { WebSocketServer } from 'ws';
import { defaultLimits, type RelayLimits, relayProtocol, ticketPrefix } from './defaults.ts';
import type { Grant } from './grant.ts';
import { SessionCounter } from './limits.ts';
import {
  allowOrigin,
  answerPreflight,
  operationAt,
  passOn,
  type RelayOperation,
  ticketOf,
} from './pass-through.ts';
import { Refusal } from './refusal.ts';
import { dismiss, faultOfAddress, Session, type SessionReport, type Upstream } from './session.ts';

/** A page that asks to open a session. */
export interface RelayRequest {
  /** The upgrade, for cookies and other headers. Its address never holds a ticket. */
  readonly request: IncomingMessage;
  /** The ticket that came as a subprotocol. */
  readonly ticket: string | undefined;
  /** The allowed Origin, or nothing for a program that is not a browser. */
  readonly origin: string | undefined;
}

/** One line of the log, to be written as JSON. */
export type RelayLogEntry =
  | ({ readonly event: 'session' } & SessionReport)
  | { readonly event: 'refused'; readonly status: number; readonly reason: string }
  | { readonly event: 'passed'; readonly operation: RelayOperation; readonly status: number }
  | { readonly event: 'draining'; readonly sessions: number };

/** What a relay is made of. */
export interface RelayOptions {
  readonly upstream: Upstream;
  /** Origins of the pages that may come, such as `https://app.example`. */
  readonly origins: readonly string[];
  /** Names of this relay in `Host`, in addition to the loopback ones, without a port. */
  readonly hosts?: readonly string[] | undefined;
  /** Who may come, and for what. Nothing, or an error, refuses: the application's session, or a ticket. */
  readonly authorize: (request: RelayRequest) => Grant | undefined | PromiseLike<Grant | undefined>;
  /**
   * Operations over HTTP that are passed on besides, in JSON; `upstream.baseUrl` is needed for them.
   * @defaultValue none
   */
  readonly operations?: readonly RelayOperation[] | undefined;
  readonly limits?: Partial<RelayLimits> | undefined;
  readonly log?: ((entry: RelayLogEntry) => void) | undefined;
}

/** A relay, to be put into an HTTP server: one of the application, or that of `startRelay`. */
export interface Relay {
  /** For the event `upgrade` of a server. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Answers `/health`, `/ready` and the allowed operations; gives false for every other path. */
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** How many sessions are open. */
  readonly sessions: number;
  /** Takes no new session, lets utterances finish within `drainSeconds`, and ends the rest. Settles when all are over. */
  drain(): Promise<void>;
}

/**
 * Makes a relay.
 *
 * @throws RangeError for an address of the service that is not encrypted, or holds a password
 */
export function createRelay(options: RelayOptions): Relay {
  return new SpeechRelay(options);
}

class SpeechRelay implements Relay {
  readonly #options: RelayOptions;
  readonly #limits: RelayLimits;
  readonly #counter: SessionCounter;
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;
  readonly #open = new Set<Session>();
  readonly #servers: { readonly plain: WebSocketServer; readonly withReferences: WebSocketServer };
  /** Upgrades that are being decided, and sessions. */
  #places = 0;
  #drained: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(options: RelayOptions) {
    const fault = faultOfAddress(options.upstream.webSocketUrl);
    if (fault !== undefined) throw new RangeError(`webSocketUrl ${fault}`);
    if ((options.operations ?? []).length > 0) {
      const missing = faultOfAddress(options.upstream.baseUrl ?? '', 'http');
      if (missing !== undefined) throw new RangeError(`baseUrl ${missing}`);
    }
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#counter = new SessionCounter(this.#limits, () => performance.now());
    this.#origins = new Set(options.origins.map((origin) => origin.toLowerCase()));
    this.#hosts = new Set(
      ['localhost', '127.0.0.1', '[::1]', ...(options.hosts ?? [])].map((host) => host.toLowerCase()),
    );
    this.#servers = {
      plain: createSocketServer(this.#limits.messageBytes),
      withReferences: createSocketServer(this.#limits.messageBytesWithReferences),
    };
  }

  get sessions(): number {
    return this.#open.size;
  }

  readonly handleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A peer that resets while it is decided upon must not end the process.
    socket.on('error', () => socket.destroy());
    const refused = this.#refuseOpenly(request);
    if (refused) {
      this.#log({ event: 'refused', ...refused });
      answerUpgrade(socket, refused.status, refused.reason);
      return;
    }
    this.#places += 1;
    const ticket = protocolsOf(request.headers).find((name) => name.startsWith(ticketPrefix));
    this.#decide(request, ticket?.slice(ticketPrefix.length))
      .then(
        ({ grant, release }) => this.#accept(request, socket, head, grant, release),
        (error: unknown) => this.#turnAway(request, socket, head, error),
      )
      .finally(() => {
        this.#places -= 1;
      });
  };

  readonly handleRequest = (request: IncomingMessage, response: ServerResponse): boolean => {
    const pathname = (request.url ?? '/').split('?')[0] ?? '/';
    const operation = operationAt(pathname, this.#options.operations ?? []);
    if (operation) {
      void this.#passOn(operation, request, response);
      return true;
    }
    if (pathname !== '/health' && pathname !== '/ready') return false;
    const ready = this.#drained === undefined;
    const status = pathname === '/ready' && !ready ? 503 : 200;
    respond(response, status, { status: ready ? 'ok' : 'draining', sessions: this.#open.size });
    return true;
  };

  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  /** Answers an allowed operation. Never rejects. */
  async #passOn(
    operation: RelayOperation,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { upstream } = this.#options;
    const stranger = this.#refuseStranger(request);
    if (stranger) {
      respond(response, stranger.status, { status: stranger.status, message: stranger.reason });
      return;
    }
    allowOrigin(response, request.headers.origin);
    if (request.method === 'OPTIONS') {
      answerPreflight(response);
      return;
    }
    let status = 200;
    this.#places += 1;
    try {
      if (request.method !== operationTable[operation].method) throw new Refusal(422, 'Use POST.');
      const { grant, release } = await this.#decide(request, ticketOf(request));
      try {
        const { baseUrl = '' } = upstream;
        await passOn(operation, request, response, { ...upstream, baseUrl }, grant, this.#limits);
      } finally {
        release();
      }
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500);
      status = refusal.status;
      // Begun, it was cut already.
      if (!response.headersSent && !response.destroyed) {
        const { retryAfterSeconds, message } = refusal;
        if (retryAfterSeconds !== undefined) response.setHeader(headerNames.retryAfter, retryAfterSeconds);
        // What is left of the body is not read.
        response.setHeader('connection', 'close');
        respond(response, status, { status, message });
      }
    } finally {
      this.#places -= 1;
    }
    this.#log({ event: 'passed', operation, status });
  }

  /** What a browser may not see the inside of is refused as plain HTTP. */
  #refuseOpenly(request: IncomingMessage): { status: number; reason: string } | undefined {
    const { url, headers } = request;
    const stranger = this.#refuseStranger(request);
    if (stranger) return stranger;
    if ((url ?? '').split('?')[0] !== operationTable.openLiveSession.path) {
      return { status: 404, reason: `Open ${operationTable.openLiveSession.path}.` };
    }
    if (!protocolsOf(headers).includes(relayProtocol)) {
      return { status: 400, reason: `Offer the subprotocol ${relayProtocol}.` };
    }
    return undefined;
  }

  #refuseStranger({ headers }: IncomingMessage): { status: number; reason: string } | undefined {
    const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
    // A foreign name that points to our address is not ours.
    if (!this.#hosts.has(host)) return { status: 403, reason: 'The Host is not one of this relay.' };
    if (headers.origin !== undefined && !this.#origins.has(headers.origin.toLowerCase())) {
      return { status: 403, reason: 'The Origin is not allowed.' };
    }
    return undefined;
  }

  async #decide(
    request: IncomingMessage,
    ticket: string | undefined,
  ): Promise<{ grant: Grant; release: () => void }> {
    if (this.#drained) throw new Refusal(503);
    if (this.#places + this.#open.size > this.#limits.sessions) throw new Refusal(503);
    const { origin } = request.headers;
    const grant = await withDeadline(
      this.#options.authorize({ request, origin, ticket }),
      this.#limits.answerSeconds * 1000,
    );
    if (!grant) throw new Refusal(401);
    if (this.#drained) throw new Refusal(503);
    return { grant, release: this.#counter.begin(grant.user, origin ?? '') };
  }

  #accept(request: IncomingMessage, socket: Duplex, head: Buffer, grant: Grant, release: () => void): void {
    const server = grant.references ? this.#servers.withReferences : this.#servers.plain;
    // Gone while it was decided: nothing will be called back.
    if (socket.destroyed) {
      release();
      return;
    }
    // The library answers an invalid handshake itself, and then never calls back.
    const onGone = (): void => release();
    socket.once('close', onGone);
    server.handleUpgrade(request, socket, head, (client) => {
      socket.off('close', onGone);
      const origin = request.headers.origin ?? '';
      try {
        const session: Session = new Session(
          client,
          this.#options.upstream,
          grant,
          this.#limits,
          origin,
          (report) => {
            release();
            this.#open.delete(session);
            this.#log({ event: 'session', ...report });
            if (this.#open.size === 0) this.#onEmpty?.();
          },
        );
        this.#open.add(session);
        if (this.#drained) session.drain();
      } catch {
        // A grant or a setting that makes no header.
        release();
        client.on('error', () => {});
        this.#log({
          event: 'refused',
          status: 500,
          reason: 'The grant names a model that no header can carry.',
        });
        dismiss(client, new Refusal(500));
      }
    });
  }

  /** Accepts a client in order to tell it why it is refused: a browser shows nothing of a refused upgrade. */
  #turnAway(request: IncomingMessage, socket: Duplex, head: Buffer, error: unknown): void {
    const refusal = error instanceof Refusal ? error : new Refusal(500);
    this.#log({ event: 'refused', status: refusal.status, reason: refusal.message });
    this.#servers.plain.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => {});
      dismiss(client, refusal);
    });
  }

  async #drain(): Promise<void> {
    this.#log({ event: 'draining', sessions: this.#open.size });
    if (this.#open.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    const timers: NodeJS.Timeout[] = [];
    const { drainSeconds } = this.#limits;
    for (const session of this.#open) {
      // Spread, so that they do not all come back to another relay in the same moment.
      timers.push(setTimeout(() => session.drain(), (Math.random() * drainSeconds * 1000) / 10));
      const last = (0.9 + Math.random() / 10) * drainSeconds * 1000;
      timers.push(setTimeout(() => session.end(new Refusal(503)), last));
    }
    await empty;
    for (const timer of timers) clearTimeout(timer);
  }

  #log(entry: RelayLogEntry): void {
    this.#options.log?.(entry);
  }
}

function createSocketServer(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // A compressed frame can be a bomb.
    perMessageDeflate: false,
    maxPayload,
    // The session answers pings itself, and none while its answers pile up.
    autoPong: false,
    handleProtocols: () => relayProtocol,
  });
}

function protocolsOf(headers: IncomingMessage['headers']): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

async function withDeadline<Value>(
  promise: Value | PromiseLike<Value>,
  milliseconds: number,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refusal(503)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function answerUpgrade(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ status, message });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
}

/** Answers with JSON. */
export function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { onWebSocket } from '@speech-api/program/web-socket';
import { operationTable } from '@speech-api/types/operations';
import type { WebSocketServer } from 'ws';
import { relayProtocol, ticketPrefix } from './defaults.ts';
import { answerUpgrade, createSocketServer, pathOf, protocolsOf, respond, withDeadline } from './http.ts';
import { SessionLimits } from './limits.ts';
import { countInto } from './metrics.ts';
import type { Grant, RelayLogEntry, RelayOptions, SessionReport } from './options.ts';
import { Refusal } from './refusal.ts';
import { type CheckedOptions, grantSchema, optionsSchema, parse } from './schema.ts';
import { type Admission, dismiss, Session } from './session.ts';
import { ProcessState, type RelayState } from './state.ts';

/** The part of a Node server that a relay needs; `serve` of Hono returns one too. */
export interface UpgradingServer {
  on(event: 'upgrade', listener: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): unknown;
  emit(event: string, ...values: unknown[]): boolean;
  listenerCount(event: string): number;
}

/** A relay to add to an HTTP server: the application's own, or that of `startRelay`. */
export interface Relay {
  /** Opens live sessions on a server. WebSockets elsewhere are for its other listeners, or are refused if there are none. */
  attach(server: UpgradingServer): void;
  /** For the event `upgrade` of a server; refuses every other path with 404. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Answers `/health` and `/ready`; gives false for every other path. */
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** False while the relay drains or refuses because its counters cannot be reached. */
  readonly ready: boolean;
  /** Number of open sessions. */
  readonly sessions: number;
  /** Accepts no new session, lets utterances finish within `drainSeconds`, and ends the rest. Settles when all are over. */
  drain(): Promise<void>;
}

/**
 * Makes a relay.
 *
 * @throws TypeError that names the options which are missing, unknown or wrong, such as an address of the service that
 * is not encrypted, or an origin that can never match
 */
export function createRelay(options: RelayOptions): Relay {
  return new SpeechRelay(parse(optionsSchema, options));
}

class SpeechRelay implements Relay {
  readonly #options: CheckedOptions;
  readonly #state: RelayState;
  readonly #sessionLimits: SessionLimits;
  readonly #hosts: readonly string[];
  readonly #open = new Set<Session>();
  readonly #servers: { readonly plain: WebSocketServer; readonly withReferences: WebSocketServer };
  /** Number of upgrades that are being authorized. */
  #places = 0;
  readonly #count: ((entry: RelayLogEntry) => void) | undefined;
  #drained: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(options: CheckedOptions) {
    this.#options = options;
    const { limits, state = new ProcessState(), hosts, metrics } = options;
    this.#state = state;
    this.#sessionLimits = new SessionLimits(limits, state);
    this.#hosts = ['localhost', '127.0.0.1', '[::1]', ...hosts];
    this.#count = metrics && countInto(metrics, this);
    this.#servers = {
      plain: createSocketServer(limits.messageBytes),
      withReferences: createSocketServer(limits.messageBytesWithReferences),
    };
  }

  get sessions(): number {
    return this.#open.size;
  }

  get ready(): boolean {
    return this.#drained === undefined && this.#state.ready;
  }

  attach(server: UpgradingServer): void {
    onWebSocket(server, (request, socket, head) => {
      const isLive = pathOf(request) === operationTable.openLiveSession.path;
      // An upgrade of another path is left to the other listeners; if there is none, it is refused here.
      const isOurs = isLive || server.listenerCount('upgrade') === 1;
      if (isOurs) this.handleUpgrade(request, socket, head);
    });
  }

  readonly handleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A peer that resets during authorization must not end the process.
    socket.on('error', () => socket.destroy());
    const traceId = randomBytes(16).toString('hex');
    const refused = this.#refuseOpenly(request);
    if (refused) {
      this.#log({ event: 'refused', traceId, ...refused });
      answerUpgrade(socket, refused.status, refused.reason);
      return;
    }
    this.#places += 1;
    const ticket = protocolsOf(request.headers).find((name) => name.startsWith(ticketPrefix));
    this.#decide(request, traceId, ticket?.slice(ticketPrefix.length))
      .then(
        (admission) => this.#accept(request, socket, head, admission),
        (error: unknown) => this.#turnAway(request, socket, head, traceId, error),
      )
      .finally(() => {
        this.#places -= 1;
      });
  };

  readonly handleRequest = (request: IncomingMessage, response: ServerResponse): boolean => {
    const pathname = pathOf(request);
    if (pathname !== '/health' && pathname !== '/ready') return false;
    const status = pathname === '/ready' && !this.ready ? 503 : 200;
    const busy = this.#drained ? 'draining' : 'unavailable';
    respond(response, status, { status: this.ready ? 'ok' : busy, sessions: this.#open.size });
    return true;
  };

  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  /** The refusal as plain HTTP, which a browser does not show to the page. */
  #refuseOpenly(request: IncomingMessage): { status: number; reason: string } | undefined {
    const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
    // A foreign host name may point to our address, but is not ours.
    if (!this.#hosts.includes(host))
      return { status: 403, reason: 'The Host is not one of this relay; its operator lists them in hosts.' };
    const { origin } = request.headers;
    if (origin !== undefined && !this.#options.origins.includes(origin.toLowerCase())) {
      return {
        status: 403,
        reason: 'The Origin is not allowed; the operator of the relay lists them in origins.',
      };
    }
    if (pathOf(request) !== operationTable.openLiveSession.path) {
      return { status: 404, reason: `Open ${operationTable.openLiveSession.path}.` };
    }
    if (!protocolsOf(request.headers).includes(relayProtocol)) {
      return { status: 400, reason: `Offer the subprotocol ${relayProtocol}.` };
    }
    return undefined;
  }

  async #decide(request: IncomingMessage, traceId: string, ticket: string | undefined): Promise<Admission> {
    if (this.#drained) throw new Refusal(503);
    const { limits, authorize } = this.#options;
    if (this.#places + this.#open.size > limits.sessions) throw new Refusal(503);
    const { origin } = request.headers;
    const granted = await withDeadline(authorize({ request, origin, ticket }), limits.answerSeconds * 1000);
    if (!granted) throw new Refusal(401);
    let grant: Grant;
    try {
      grant = parse(grantSchema, granted);
    } catch (error) {
      throw new Refusal(500, undefined, undefined, `authorize: ${(error as Error).message}`);
    }
    const characters = grant.characters ?? limits.charactersPerSession;
    const counted = await this.#sessionLimits.begin(grant.user, origin ?? '', characters);
    if (this.#drained) {
      counted.end();
      throw new Refusal(503);
    }
    return { grant, counted, traceId, origin: origin ?? '' };
  }

  #accept(request: IncomingMessage, socket: Duplex, head: Buffer, admission: Admission): void {
    const { counted } = admission;
    const server = admission.grant.references ? this.#servers.withReferences : this.#servers.plain;
    // The client left during authorization, so nothing will be called back.
    if (socket.destroyed) {
      counted.end();
      return;
    }
    // The library answers an invalid handshake itself, and then never calls back.
    const onClose = (): void => counted.end();
    socket.once('close', onClose);
    server.handleUpgrade(request, socket, head, (client) => {
      socket.off('close', onClose);
      const onEnd = (report: SessionReport): void => {
        counted.end();
        this.#open.delete(session);
        this.#log({ event: 'session', ...report });
        this.#onGone();
      };
      const session = new Session(client, socket, admission, this.#options, onEnd);
      this.#open.add(session);
      if (this.#drained) session.drain(new Refusal(503));
    });
  }

  /** Accepts a client only to tell it the refusal, because browsers hide refused upgrades. */
  #turnAway(request: IncomingMessage, socket: Duplex, head: Buffer, traceId: string, error: unknown): void {
    const refusal = error instanceof Refusal ? error : new Refusal(500);
    this.#log({ event: 'refused', traceId, status: refusal.status, reason: refusal.logged });
    this.#servers.plain.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => {});
      dismiss(client, refusal);
    });
  }

  async #drain(): Promise<void> {
    this.#log({ event: 'draining', sessions: this.#open.size });
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    const timers: NodeJS.Timeout[] = [];
    const { drainSeconds } = this.#options.limits;
    // The sessions end at different moments, so that clients do not all reconnect at once.
    const after = (share: number, act: () => void): void => {
      timers.push(setTimeout(act, (share + Math.random() / 10) * drainSeconds * 1000));
    };
    for (const session of this.#open) {
      after(0, () => session.drain(new Refusal(503)));
      after(0.9, () => session.end(new Refusal(503)));
    }
    this.#onGone();
    await empty;
    for (const timer of timers) clearTimeout(timer);
  }

  #onGone(): void {
    if (this.#open.size === 0) this.#onEmpty?.();
  }

  #log(entry: RelayLogEntry): void {
    this.#count?.(entry);
    this.#options.log?.(entry);
  }
}

import type { IncomingMessage } from 'node:http';
import type { AudioFormat } from '@speech-api/types';
import type { Registry } from 'prom-client';
import type { RelayLimits } from './defaults.ts';
import type { RefusalStatus } from './refusal.ts';
import type { RelayState } from './state.ts';

/** The service behind the relay. */
export interface Upstream {
  /** Address of the WebSocket API, `wss` except on this machine. */
  readonly webSocketUrl: string;
  /** The key. It goes into the header of the upgrade and nowhere else. */
  readonly apiKey: string;
  /** The model if a grant names none. */
  readonly model: string;
}

/** Permissions of a client in one session. A limit that is left out is that of the relay. */
export interface Grant {
  /** The user whose limits apply; it stays in the relay. */
  readonly user: string;
  /** The model of the session. @defaultValue the relay's */
  readonly model?: string | undefined;
  /** Ids of the allowed voices. An empty list allows only the service's default voice. */
  readonly voices?: readonly string[] | undefined;
  readonly formats?: readonly AudioFormat[] | undefined;
  /** Unicode code points of the session. @defaultValue `charactersPerSession` of the limits */
  readonly characters?: number | undefined;
  /** Whether samples of a voice may be sent. @defaultValue false */
  readonly references?: boolean | undefined;
}

/** A page that asks to open a session. */
export interface RelayRequest {
  /** The upgrade, for cookies and other headers. Its address never holds a ticket. */
  readonly request: IncomingMessage;
  /** The ticket from the subprotocol. */
  readonly ticket: string | undefined;
  /** The allowed Origin, or nothing for a program that is not a browser. */
  readonly origin: string | undefined;
}

/** Report on a session that has ended. Never a text, audio, a ticket, a user or a key. */
export interface SessionReport {
  readonly traceId: string;
  readonly origin: string;
  readonly milliseconds: number;
  /** Unicode code points of text that went to the service. */
  readonly characters: number;
  readonly audioBytes: number;
  /** The status of the refusal that ended it; undefined when a side closed it. */
  readonly status: RefusalStatus | undefined;
  /** The status with which the service refused the upgrade or a message. */
  readonly serviceStatus: number | undefined;
}

/** One line of the log, to be written as JSON. */
export type RelayLogEntry =
  | ({ readonly event: 'session' } & SessionReport)
  | {
      readonly event: 'refused';
      readonly traceId: string;
      readonly status: number;
      readonly reason: string;
    }
  | { readonly event: 'draining'; readonly sessions: number };

/** Options of a relay. */
export interface RelayOptions {
  readonly upstream: Upstream;
  /** Origins of the pages that may connect, such as `https://app.example`. */
  readonly origins: readonly string[];
  /** Names of this relay in `Host`, in addition to the loopback ones, without a port. */
  readonly hosts?: readonly string[] | undefined;
  /** Grants access by the application's session or a ticket. Returning nothing or throwing refuses it. */
  readonly authorize: (request: RelayRequest) => Grant | undefined | PromiseLike<Grant | undefined>;
  readonly limits?: Partial<RelayLimits> | undefined;
  /** Counts sessions and characters; use `connectRedis` for several relays. @defaultValue counts within this process */
  readonly state?: RelayState | undefined;
  /** Prometheus registry for the metrics of the relay. */
  readonly metrics?: Registry | undefined;
  readonly log?: ((entry: RelayLogEntry) => void) | undefined;
}

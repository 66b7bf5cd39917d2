import { ConfigurationError, type Logger, type Timeouts, type TraceSource } from '@speech-api/client';
import { isBrowser } from '@speech-api/client/shared';
import { headerNames } from '@speech-api/types/constants';
import { liveTimestampsPath } from '@speech-api/types/live';
import { operationTable } from '@speech-api/types/operations';
import type { LiveRequest } from './messages.ts';
import type { SocketTarget } from './socket.ts';

/** The part of a client that `connectLive` reads: a `SpeechClient` fits, and so does {@link throughRelay}. */
export interface LiveSource {
  readonly settings: LiveSettings;
}

/** The settings of a client that a live session needs. */
export interface LiveSettings {
  readonly webSocketUrl: string;
  /** The value of the header `Authorization`, asked for each socket. */
  authorization?(): PromiseLike<string | undefined>;
  /** Removes the key from a text from outside. */
  redact?(text: string): string;
  readonly model?: string | undefined;
  readonly trace?: TraceSource | false | undefined;
  readonly timeouts?: Timeouts | undefined;
  readonly logger?: Logger | undefined;
  /** True if the address is a relay of `@speech-api/relay`: it has the key and only needs a ticket. */
  readonly relay?: { readonly ticket?: Ticket | undefined } | undefined;
}

/** A ticket of the relay, or a function that fetches one. A ticket opens one socket, so a function lasts longer. */
export type Ticket = string | (() => string | PromiseLike<string>);

/** The options of a connection, in addition to the request. */
export interface LiveOptions {
  /** Aborts the opening, or closes the connection with its utterance, with an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
  /** A relay chooses the model itself. @defaultValue the client's model */
  readonly model?: string | undefined;
  /**
   * The trace that each socket joins, with its own parent id. Without one, or with `false`, no `traceparent` is sent. A
   * relay starts its own trace.
   */
  readonly trace?: TraceSource | false | undefined;
  /**
   * Asks for word times, which fill `speech.timeline` and make `heard` exact. The service may not have them, and a
   * relay does not pass them on. @defaultValue false
   */
  readonly timestamps?: boolean | undefined;
  /**
   * Deadlines in milliseconds; what is left out comes from the client. `headers`: until the upgrade is answered
   * (10000). `idle`: without audio while audio is owed, that is after `flush` and `end`, and never while the writer
   * thinks (30000). `total`: from `end` until `finish`, without the time that the socket is paused for a slow reader
   * (`Infinity`).
   */
  readonly timeouts?: Pick<Timeouts, 'headers' | 'idle' | 'total'> | undefined;
  /**
   * Node only: the `http.Agent` that makes the connection, such as one of `https-proxy-agent`. Without it, the proxy of the
   * environment is used where Node itself follows it (`NODE_USE_ENV_PROXY=1`).
   */
  readonly agent?: object | undefined;
  /** Fields that this specification does not know, sent with each request. A known field is a `RequestError`. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** The options of `speak`, in addition to the text. */
export interface SpeakOptions {
  /** Ends the utterance, and its socket, with an `AbortError`. */
  readonly signal?: AbortSignal | undefined;
  /** Voice, format and settings of this utterance where they differ from those of the connection. */
  readonly request?: LiveRequest | undefined;
  /**
   * Milliseconds of this utterance that a player has played, for the limit `aheadSeconds`.
   * @defaultValue audio counts as played once read
   */
  readonly played?: (() => number) | undefined;
  /**
   * Text waits while more than this many seconds of speech are ahead of playback, in audio that came and in text whose
   * audio is still to come (at fifteen letters a second): what nobody listens to is not billed. A sentence that has
   * begun is sent whole. What `write` gives is not held. `Infinity` never waits. @defaultValue 4
   */
  readonly aheadSeconds?: number | undefined;
}

/**
 * A relay in place of a client, for a browser, which can neither keep a key nor send the headers.
 *
 * @param options.url address of the relay, such as `wss://app.example/speech`
 * @param options.ticket the relay's ticket, or a function that fetches one; without it the relay asks the
 * application's own session, such as a cookie
 */
export function throughRelay(options: {
  readonly url: string;
  readonly ticket?: Ticket | undefined;
  readonly timeouts?: Timeouts | undefined;
  readonly logger?: Logger | undefined;
}): LiveSource {
  const { url, ticket, timeouts, logger } = options;
  return { settings: { webSocketUrl: url.replace(/\/+$/, ''), relay: { ticket }, timeouts, logger } };
}

/** @throws ConfigurationError for what is neither a client nor a relay */
export function checkSource(client: LiveSource): LiveSource {
  if (typeof (client as Partial<LiveSource> | undefined)?.settings?.webSocketUrl === 'string') return client;
  throw new ConfigurationError(
    'the first argument of connectLive is the client, or throughRelay({ url }); the request is the second',
  );
}

/** The subprotocol of our relay, as in packages/relay. The service has none. */
export const relayProtocol = 'speech-relay';
/** Prefix of a relay's ticket, which travels as a second subprotocol. */
const ticketPrefix = 'ticket.';

/** The address and headers of a socket, with its own ticket or trace. */
export async function targetOf(
  settings: LiveSettings,
  options: LiveOptions,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<SocketTarget> {
  const { webSocketUrl, relay, trace: clientTrace } = settings;
  const { trace = clientTrace, model = settings.model } = options;
  if (options.timestamps && relay) {
    throw new ConfigurationError('timestamps are not available through a relay; connect with a client');
  }
  const path = options.timestamps ? liveTimestampsPath : operationTable.openLiveSession.path;
  if (webSocketUrl.endsWith(path)) {
    const setting = relay ? 'url' : 'webSocketUrl (SPEECH_WEBSOCKET_URL)';
    throw new ConfigurationError(`${setting} must not end with ${path}, which is added to it`);
  }
  const url = `${webSocketUrl}${path}`;
  checkAddress(url);
  const shared = { url, signal, redact, agent: options.agent };
  if (relay) {
    const ticket = typeof relay.ticket === 'function' ? await relay.ticket() : relay.ticket;
    const protocols = ticket === undefined ? [relayProtocol] : [relayProtocol, ticketPrefix + ticket];
    return { ...shared, headers: {}, protocols };
  }
  if (isBrowser()) {
    throw new ConfigurationError(
      'a browser cannot send the headers of a live session; run @speech-api/relay and pass throughRelay({ url })',
    );
  }
  return {
    ...shared,
    protocols: [],
    headers: {
      [headerNames.authorization]: await authorizationOf(settings),
      ...(model !== undefined && { [headerNames.model]: model }),
      ...(trace && { [headerNames.traceparent]: trace.traceparent() }),
    },
  };
}

/** The key is read only here. */
async function authorizationOf(settings: LiveSettings): Promise<string> {
  const authorization = await settings.authorization?.();
  if (!authorization) throw new ConfigurationError('no API key: pass apiKey to createSpeechClient');
  return authorization;
}

/** @throws ConfigurationError for an address that would send the key unencrypted */
function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;
  if (url?.protocol === 'wss:' || (url?.protocol === 'ws:' && loopback.test(url.hostname))) return;
  throw new ConfigurationError(
    'webSocketUrl must begin with wss://; ws:// is for this machine alone, because it sends the key unencrypted',
  );
}

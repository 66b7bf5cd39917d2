import {
  AbortError,
  ConfigurationError,
  ConnectionError,
  createTrace,
  SpeechError,
  TimeoutError,
} from '@speech-api/client';
import { headerNames } from '@speech-api/types/constants';
import { operationTable } from '@speech-api/types/operations';
import {
  connectMilliseconds,
  idleMilliseconds,
  maximumFrameBytes,
  maximumUnreadBytes,
  maximumUnsentBytes,
  pauseAboveBytes,
  relayProtocol,
  ticketPrefix,
} from './defaults.ts';
import { closedEarly } from './errors.ts';
import {
  checkRequest,
  encodeStart,
  errorOf,
  finishError,
  type LiveRequest,
  type LiveServerMessage,
  readMessage,
} from './messages.ts';
import {
  checkLiveOptions,
  checkSource,
  checkSpeakOptions,
  type LiveOptions,
  type LiveSettings,
  type LiveSource,
} from './options.ts';
import type { LiveSocket, OpenSocket, SocketHandlers, SocketTarget } from './socket.ts';
import type { LiveSpeech, SpeakOptions } from './speech.ts';
import { checkText } from './text-feed.ts';
import { Utterance, type UtteranceLimits } from './utterance.ts';

/** A WebSocket that serves one utterance after the other. */
export interface LiveConnection {
  /**
   * Speaks a text, or text that is still being written, or, without one, what `write` gives the result. The text of a
   * language model is cut into clauses and sentences; see the options.
   *
   * One utterance at a time. Where the server has closed the socket since the one before, or that one was interrupted,
   * a new socket is opened.
   *
   * @throws `TypeError` while another utterance runs, `ConnectionError` after `close`.
   */
  speak(text?: string | AsyncIterable<string>, options?: SpeakOptions): LiveSpeech;
  /** Whether the socket is open and no utterance runs on it, so that the next one begins at once. */
  readonly isReady: boolean;
  /** Ends the connection. An utterance that runs is interrupted. Until then it keeps a process running. */
  close(): void;
}

/** Opens the live session of a client. */
export type ConnectLive = (
  client: LiveSource,
  request?: LiveRequest,
  options?: LiveOptions,
) => Promise<LiveConnection>;

/** Makes `connectLive` for a runtime. */
export function createConnectLive(openSocket: OpenSocket): ConnectLive {
  return async (client, request = {}, options = {}) => {
    const { settings } = checkSource(client);
    checkLiveOptions(options);
    checkRequest(request);
    const connection = new Connection(openSocket, settings, request, options, await encodeStart(request));
    await connection.open();
    return connection;
  };
}

/** One socket and what it has come to. */
interface Link {
  readonly socket: LiveSocket;
  readonly traceId: string | undefined;
  used: boolean;
}

class Connection implements LiveConnection {
  readonly #openSocket: OpenSocket;
  readonly #settings: LiveSettings;
  readonly #request: LiveRequest;
  readonly #options: LiveOptions;
  readonly #start: Uint8Array<ArrayBuffer>;
  readonly #limits: UtteranceLimits;
  #link: Link | undefined;
  #opening: Promise<Link> | undefined;
  #utterance: Utterance | undefined;
  #closed = false;
  readonly #closing = new AbortController();

  constructor(
    openSocket: OpenSocket,
    settings: LiveSettings,
    request: LiveRequest,
    options: LiveOptions,
    start: Uint8Array<ArrayBuffer>,
  ) {
    this.#openSocket = openSocket;
    this.#settings = settings;
    this.#request = request;
    this.#options = options;
    this.#start = start;
    const { timeouts } = settings;
    this.#limits = {
      idleMilliseconds: options.timeouts?.idle ?? timeouts?.idle ?? idleMilliseconds,
      totalMilliseconds: options.timeouts?.total ?? timeouts?.total ?? Number.POSITIVE_INFINITY,
      pauseAboveBytes: options.pauseAboveBytes ?? pauseAboveBytes,
      maximumUnreadBytes: options.maximumUnreadBytes ?? maximumUnreadBytes,
      maximumUnsentBytes: options.maximumUnsentBytes ?? maximumUnsentBytes,
    };
    if (options.signal?.aborted) this.#onAbort();
    else options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  speak(text?: string | AsyncIterable<string>, options: SpeakOptions = {}): LiveSpeech {
    if (this.#closed) throw new ConnectionError('openLiveSession: the connection was closed');
    if (this.#utterance) {
      throw new TypeError('one utterance at a time: read the one before to its end, or interrupt it');
    }
    checkSpeakOptions(options);
    if (text !== undefined) checkText(text);
    const utterance = new Utterance(this.#request, this.#limits, options, (reusable) => {
      this.#utterance = undefined;
      if (!reusable) this.#drop();
    });
    this.#utterance = utterance;
    utterance.heedSignal();
    if (utterance.ended) return utterance;
    if (this.#link) this.#attach(utterance, this.#link);
    else {
      this.open().then(
        (link) => this.#attach(utterance, link),
        (error) => utterance.fail(error),
      );
    }
    if (text !== undefined) void utterance.feed(text);
    return utterance;
  }

  get isReady(): boolean {
    return !this.#closed && this.#link !== undefined && this.#utterance === undefined;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#closing.abort(new ConnectionError('openLiveSession: the connection was closed'));
    this.#utterance?.interrupt();
    this.#drop();
  }

  /** Opens a socket, where none is open or opening. */
  open(): Promise<Link> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<Link> {
    const began = performance.now();
    const { logger } = this.#settings;
    try {
      const link = await this.#connect();
      if (this.#closed) {
        link.socket.close();
        throw this.#closing.signal.reason;
      }
      const milliseconds = performance.now() - began;
      const { traceId } = link;
      logger?.debug?.('live session opened', { operationId: 'openLiveSession', milliseconds, traceId });
      return link;
    } catch (error) {
      const milliseconds = performance.now() - began;
      const name = SpeechError.isInstance(error) ? error.name : 'Error';
      logger?.warn?.('live session failed', { operationId: 'openLiveSession', milliseconds, error: name });
      throw error;
    }
  }

  async #connect(): Promise<Link> {
    const settings = this.#settings;
    const milliseconds = this.#options.timeouts?.headers ?? settings.timeouts?.headers ?? connectMilliseconds;
    const abort = new AbortController();
    const forward = (): void => abort.abort(this.#closing.signal.reason);
    this.#closing.signal.addEventListener('abort', forward, { once: true });
    if (this.#closing.signal.aborted) forward();
    const timer =
      milliseconds < 2 ** 31
        ? setTimeout(() => abort.abort(new TimeoutError('headers', milliseconds)), milliseconds)
        : undefined;
    try {
      const target = await unlessAborted(this.#target(abort.signal), abort.signal);
      return await this.#openLink(target, abort.signal);
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener('abort', forward);
    }
  }

  async #openLink(target: SocketTarget, signal: AbortSignal): Promise<Link> {
    let link: Link | undefined;
    let onReady: (() => void) | undefined;
    let onRefused: ((error: unknown) => void) | undefined;
    const ready = new Promise<void>((resolve, reject) => {
      onReady = resolve;
      onRefused = reject;
    });
    ready.catch(() => {});
    const sentTrace = target.headers[headerNames.traceparent]?.split('-')[1];
    const fail = (error: SpeechError): void => {
      onRefused?.(error);
      if (link === undefined || this.#link !== link) return;
      this.#link = undefined;
      link.socket.close();
      this.#utterance?.fail(error);
    };
    const handlers: SocketHandlers = {
      frame: (bytes) => {
        let message: LiveServerMessage;
        try {
          message = readMessage(bytes);
        } catch (error) {
          // A ProtocolError: nothing else is thrown by reading.
          fail(error as SpeechError);
          return;
        }
        const traceId = link?.traceId ?? sentTrace;
        if (message.event === 'error') {
          fail(errorOf({ ...message, error: this.#redact(message.error) }, traceId));
        } else if (message.event === 'ready') onReady?.();
        else if (link !== undefined && this.#link === link) {
          if (message.event === 'finish' && message.reason === 'error') {
            this.#utterance?.fail(
              finishError({ ...message, message: this.#redact(message.message) }, traceId),
            );
          } else this.#utterance?.receive(message);
        }
      },
      closed: (code, reason) => fail(closedEarly(code, this.#redact(reason), link?.traceId ?? sentTrace)),
    };
    const socket = await this.#openSocket(target, handlers);
    link = { socket, traceId: socket.traceId ?? sentTrace, used: false };
    this.#link = link;
    if (this.#settings.relay && socket.protocol === relayProtocol) {
      try {
        await unlessAborted(ready, signal);
      } catch (error) {
        if (this.#link === link) this.#link = undefined;
        socket.close();
        throw error;
      }
    }
    return link;
  }

  async #target(signal: AbortSignal): Promise<SocketTarget> {
    const { webSocketUrl, relay, model, trace: clientTrace } = this.#settings;
    const { trace = clientTrace } = this.#options;
    const { path } = operationTable.openLiveSession;
    if (webSocketUrl.endsWith(path)) {
      const setting = relay ? 'url' : 'webSocketUrl (SPEECH_WEBSOCKET_URL)';
      throw new ConfigurationError(`${setting} must not end with ${path}, which is added to it`);
    }
    const url = `${webSocketUrl}${path}`;
    checkAddress(url);
    const frameBytes = this.#options.maximumFrameBytes ?? maximumFrameBytes;
    const shared = { url, maximumFrameBytes: frameBytes, signal, redact: this.#redact };
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
    const chosen = this.#options.model ?? model;
    return {
      ...shared,
      protocols: [],
      headers: {
        [headerNames.authorization]: await authorizationOf(this.#settings),
        ...(chosen !== undefined && { [headerNames.model]: chosen }),
        ...(trace !== false && { [headerNames.traceparent]: (trace ?? createTrace()).traceparent() }),
      },
    };
  }

  #attach(utterance: Utterance, link: Link): void {
    if (this.#utterance !== utterance) return;
    const { socket, traceId, used: reused } = link;
    link.used = true;
    utterance.attach({ socket, traceId, reused }, this.#start);
  }

  /** Closes the socket; the next utterance opens another one. */
  #drop(): void {
    const link = this.#link;
    this.#link = undefined;
    link?.socket.close();
  }

  /** A server may send back what it was sent. */
  readonly #redact = (text: string): string => this.#settings.redact?.(text) ?? text;

  readonly #onAbort = (): void => {
    const error = new AbortError(this.#options.signal?.reason);
    this.#closed = true;
    this.#closing.abort(error);
    this.#utterance?.fail(error);
    this.#drop();
  };
}

/** The one place where the key is read. */
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

function isBrowser(): boolean {
  const scope = globalThis as { document?: unknown; importScripts?: unknown };
  return typeof scope.document === 'object' || typeof scope.importScripts === 'function';
}

function unlessAborted<Value>(promise: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

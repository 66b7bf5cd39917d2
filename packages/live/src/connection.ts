import {
  AbortError,
  ApiError,
  type CallSpan,
  ConnectionError,
  SpeechError,
  TimeoutError,
} from '@speech-api/client';
import { joinParts, startDeadline, unlessAborted, withExtra } from '@speech-api/client/shared';
import { headerNames, synthesisDefaults } from '@speech-api/types/constants';
import { operationTable } from '@speech-api/types/operations';
import { Deadline } from './deadline.ts';
import { checkText } from './feed.ts';
import {
  checkRequest,
  closedEarly,
  encodeStart,
  errorOf,
  finishError,
  type LiveRequest,
  type LiveServerMessage,
  readMessage,
} from './messages.ts';
import {
  checkSource,
  type LiveOptions,
  type LiveSettings,
  type LiveSource,
  relayProtocol,
  type SpeakOptions,
  targetOf,
} from './options.ts';
import type { LiveSocket, OpenSocket, SocketHandlers, SocketTarget } from './socket.ts';
import { type LiveSpeech, Utterance } from './utterance.ts';

const operationId = 'openLiveSession';

/** Milliseconds after `finish` in which the server may be about to close; text is not sent meanwhile. */
const settleMilliseconds = 25;
/** The same after the first one: the close may wait for an acknowledgement that the system delays by 40 ms. */
const firstSettleMilliseconds = 60;
/** The share of a relay's time for a session after which a socket takes no further utterance. */
const lifeShare = 0.9;
/**
 * A server that closes sooner than this after `finish` serves one utterance a socket; a socket that was idle for
 * longer may be dead, so it is pinged before it is used.
 */
const idleSocketMilliseconds = 10_000;

/** A WebSocket that serves one utterance after the other. */
export interface LiveConnection {
  /**
   * Speaks a text, or text that is still being written, or, without one, what `write` gives the result. The text of a
   * language model is cut into clauses and sentences; see the options.
   *
   * One utterance at a time. Where the server has closed the socket since the one before, or that one was interrupted,
   * a new socket is opened.
   *
   * @throws `TypeError` while another utterance runs, `ConnectionError` after `close`, `RequestError` for what cannot be sent.
   */
  speak(text?: string | AsyncIterable<string>, options?: SpeakOptions): LiveSpeech;
  /** True if the socket is open and idle, so that the next utterance begins at once. */
  readonly isReady: boolean;
  /** Ends the connection. A running utterance is interrupted. An open connection keeps its process running. */
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
    checkRequest(request);
    const whole = withExtra(request, options.extra, 'SynthesisRequest');
    // Invalid requests are refused before a socket is opened.
    encodeStart(whole);
    const connection = new Connection(openSocket, settings, whole, options);
    try {
      await connection.open();
    } catch (error) {
      // The listener would keep the connection in memory as long as the signal lives.
      connection.close();
      throw error;
    }
    return connection;
  };
}

/** A socket and its state. */
interface Link {
  readonly socket: LiveSocket;
  readonly traceId: string | undefined;
  /** The time at which it was opened or its last utterance finished. */
  idleSince: number;
  /** The time from which it takes no further utterance, because a relay will end it. */
  replaceAt: number;
  isUsed: boolean;
  hasFinished: boolean;
  /** Settles a while after an utterance has finished. */
  settled: Promise<void> | undefined;
}

class Connection implements LiveConnection {
  readonly #openSocket: OpenSocket;
  readonly #settings: LiveSettings;
  readonly #request: LiveRequest;
  readonly #options: LiveOptions;
  /** Deadlines in milliseconds, as the options explain them. */
  readonly #timeouts: Readonly<Record<'headers' | 'idle' | 'total', number>>;
  #link: Link | undefined;
  #opening: Promise<Link> | undefined;
  #utterance: Utterance | undefined;
  /** What is known of the service: that it has finished an utterance, and that it closes the socket then. */
  #hasFinished = false;
  #closesAfterFinish = false;
  #isClosed = false;
  readonly #closing = new AbortController();

  constructor(openSocket: OpenSocket, settings: LiveSettings, request: LiveRequest, options: LiveOptions) {
    this.#openSocket = openSocket;
    this.#settings = settings;
    this.#request = request;
    this.#options = options;
    const [own, shared] = [options.timeouts, settings.timeouts];
    this.#timeouts = {
      headers: own?.headers ?? shared?.headers ?? 10_000,
      idle: own?.idle ?? shared?.idle ?? 30_000,
      total: own?.total ?? shared?.total ?? Number.POSITIVE_INFINITY,
    };
    if (options.signal?.aborted) this.#onAbort();
    else options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  speak(text?: string | AsyncIterable<string>, options: SpeakOptions = {}): LiveSpeech {
    if (this.#isClosed) throw new ConnectionError('openLiveSession: the connection was closed');
    if (this.#utterance) {
      throw new TypeError('one utterance at a time: read the one before to its end, or interrupt it');
    }
    if (options.request !== undefined) checkRequest(options.request);
    if (text !== undefined) checkText(text);
    const request = { ...this.#request, ...options.request } as LiveRequest;
    const utterance = new Utterance(request, this.#timeouts, options, (isReusable, error) => {
      this.#utterance = undefined;
      const { firstAudioMilliseconds, characters } = utterance.metrics;
      const status = ApiError.isInstance(error) ? { status: error.status } : {};
      span?.end?.({
        firstAudioMilliseconds,
        characters,
        ...status,
        ...(error instanceof Error && { error }),
      });
      if (!isReusable || this.#closesAfterFinish) this.#drop();
      else if (this.#link) {
        this.#link.idleSince = performance.now();
        this.#link.hasFinished = true;
        const milliseconds = this.#hasFinished ? settleMilliseconds : firstSettleMilliseconds;
        this.#link.settled = new Promise((resolve) => startDeadline(milliseconds, resolve));
        this.#hasFinished = true;
      }
    });
    const span = this.#startSpan(request);
    this.#utterance = utterance;
    utterance.heedSignal();
    if (utterance.hasEnded) return utterance;
    void this.#begin(utterance);
    if (text !== undefined) void utterance.feed(text);
    return utterance;
  }

  /** The span of an utterance, where the trace has spans. */
  #startSpan({ format = synthesisDefaults.format }: LiveRequest): CallSpan | undefined {
    const { trace = this.#settings.trace, model = this.#settings.model } = this.#options;
    const { method, path } = operationTable.openLiveSession;
    const { webSocketUrl: baseUrl } = this.#settings;
    return (trace || undefined)?.startCall?.({ operationId, method, path, baseUrl, model, format });
  }

  get isReady(): boolean {
    return !this.#isClosed && this.#link?.socket.isOpen === true && this.#utterance === undefined;
  }

  close(): void {
    this.#utterance?.interrupt();
    this.#end(new ConnectionError('openLiveSession: the connection was closed'));
  }

  /** Opens a socket, unless one is open or opening. */
  open(): Promise<Link> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Sends `start` on the connection's socket, or on a new one, and then the text of the utterance. */
  async #begin(utterance: Utterance): Promise<void> {
    try {
      const { parts, byteLength } = utterance.start;
      const start = await joinParts(parts, byteLength);
      await this.#link?.settled;
      const current = this.#link;
      if (current && !(await isAlive(current)) && this.#link === current) this.#drop();
      if (this.#utterance !== utterance) return;
      const link = this.#link ?? (await this.open());
      if (this.#utterance !== utterance) return;
      utterance.attach(link.socket, start, link.isUsed);
      link.isUsed = true;
    } catch (error) {
      utterance.fail(error);
    }
  }

  async #open(): Promise<Link> {
    const settings = this.#settings;
    const began = performance.now();
    const logged = () => ({ operationId, milliseconds: performance.now() - began });
    const { signal: closing } = this.#closing;
    const abort = new AbortController();
    const onClosing = (): void => abort.abort(closing.reason);
    if (closing.aborted) onClosing();
    else closing.addEventListener('abort', onClosing, { once: true });
    const { headers: milliseconds } = this.#timeouts;
    const deadline = new Deadline(milliseconds, () => abort.abort(new TimeoutError('headers', milliseconds)));
    deadline.run(true);
    try {
      const { signal } = abort;
      const target = await unlessAborted(targetOf(settings, this.#options, signal, this.#redact), signal);
      const link = await this.#openLink(target);
      if (this.#isClosed) {
        link.socket.close();
        throw closing.reason;
      }
      settings.logger?.debug?.('live session opened', { ...logged(), traceId: link.traceId });
      return link;
    } catch (error) {
      const name = SpeechError.isInstance(error) ? error.name : 'Error';
      settings.logger?.warn?.('live session failed', { ...logged(), error: name });
      throw error;
    } finally {
      deadline.stop();
      closing.removeEventListener('abort', onClosing);
    }
  }

  async #openLink(target: SocketTarget): Promise<Link> {
    let link: Link | undefined;
    let failure: SpeechError | undefined;
    let onAnswer: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => {
      onAnswer = resolve;
    });
    const sentTrace = target.headers[headerNames.traceparent]?.split('-')[1];
    let lifeSeconds = Number.POSITIVE_INFINITY;
    const fail = (error: SpeechError): void => {
      failure ??= error;
      onAnswer?.();
      if (link !== undefined && this.#link === link) this.#lose(link, error);
    };
    const handlers: SocketHandlers = {
      frame: (bytes) => {
        try {
          onMessage(readMessage(bytes));
        } catch (error) {
          // Thrown out of a handler, it would end the process.
          fail(error as SpeechError);
        }
      },
      closed: (code, reason) => fail(closedEarly(code, this.#redact(reason), link?.traceId ?? sentTrace)),
    };
    const onMessage = (message: LiveServerMessage): void => {
      const traceId = link?.traceId ?? sentTrace;
      if (message.event === 'error') {
        fail(errorOf({ ...message, error: this.#redact(message.error) }, traceId));
      } else if (message.event === 'ready') {
        lifeSeconds = message.seconds ?? lifeSeconds;
        onAnswer?.();
      } else if (link === undefined || this.#link !== link) return;
      else if (message.event === 'finish' && message.reason === 'error') {
        this.#utterance?.fail(finishError({ ...message, message: this.#redact(message.message) }, traceId));
      } else this.#utterance?.receive(message);
    };
    const socket = await this.#openSocket(target, handlers);
    const traceId = socket.traceId ?? sentTrace;
    const opened = performance.now();
    const unused = { isUsed: false, hasFinished: false, settled: undefined };
    link = { socket, traceId, idleSince: opened, replaceAt: Number.POSITIVE_INFINITY, ...unused };
    try {
      const isRelay = this.#settings.relay && socket.protocol === relayProtocol;
      if (isRelay || !socket.isOpen) await unlessAborted(answered, target.signal);
      // An error may arrive in one packet with the answer to the upgrade, before the link exists.
      if (failure !== undefined) throw failure;
    } catch (error) {
      socket.close();
      throw error;
    }
    link.replaceAt = opened + lifeSeconds * 1000 * lifeShare;
    this.#link = link;
    return link;
  }

  /** Handles a socket that the server closed, or that must be closed. */
  #lose(link: Link, error: SpeechError): void {
    this.#link = undefined;
    link.socket.close();
    const isSoon = performance.now() - link.idleSince < idleSocketMilliseconds;
    const { status } = error as { readonly status?: number };
    if (status === undefined && link.hasFinished && isSoon) this.#closesAfterFinish = true;
    const utterance = this.#utterance;
    // An utterance that is waiting for a socket gets the next one.
    if (utterance?.socket !== link.socket) return;
    // A refusal of the request would come again; any other end costs nothing before the text.
    const isRefusal = status !== undefined && status < 500 && status !== 408;
    if (!isRefusal && utterance.detach(() => void this.#begin(utterance))) return;
    utterance.fail(error);
  }

  /** Closes the socket; the next utterance opens another one. */
  #drop(): void {
    const link = this.#link;
    this.#link = undefined;
    link?.socket.close();
  }

  #end(error: SpeechError): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#closing.abort(error);
    this.#drop();
  }

  /** A server may echo what it was sent, including the key. */
  readonly #redact = (text: string): string => this.#settings.redact?.(text) ?? text;

  readonly #onAbort = (): void => {
    const error = new AbortError(this.#options.signal?.reason);
    this.#utterance?.fail(error);
    this.#end(error);
  };
}

/** A socket that was idle for long and cannot be pinged may be dead, as after sleep or a change of network. */
async function isAlive({ socket, idleSince, replaceAt }: Link): Promise<boolean> {
  const now = performance.now();
  if (!socket.isOpen || now > replaceAt) return false;
  if (now - idleSince < idleSocketMilliseconds) return true;
  return (await socket.responds?.()) ?? false;
}

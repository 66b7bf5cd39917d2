import { AbortError, ConnectionError, SpeechError, TimeoutError } from '@speech-api/client';
import { headerNames } from '@speech-api/types/constants';
import { liveCloseCodes } from '@speech-api/types/live';
import {
  connectMilliseconds,
  idleMilliseconds,
  maximumUnreadBytes,
  maximumUnsentBytes,
  pauseAboveBytes,
  relayProtocol,
  settleMilliseconds,
} from './defaults.ts';
import { closedEarly } from './errors.ts';
import { Deadline } from './life.ts';
import {
  bytesOf,
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
import { targetOf } from './target.ts';
import { checkText } from './text-feed.ts';
import { Utterance, type UtteranceLimits } from './utterance.ts';

/** A server that closes so has nothing against what it was sent. */
const cleanCodes: readonly number[] = [
  liveCloseCodes.finished,
  liveCloseCodes.goingAway,
  liveCloseCodes.none,
];

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
  /** True if the socket is open and no utterance runs on it, so that the next one begins at once. */
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
    const start = await bytesOf(encodeStart(request));
    const connection = new Connection(openSocket, settings, request, options, start);
    try {
      await connection.open();
    } catch (error) {
      // The signal would hold it for as long as the signal lives.
      connection.close();
      throw error;
    }
    return connection;
  };
}

/** One socket and what it has come to. */
interface Link {
  readonly socket: LiveSocket;
  readonly traceId: string | undefined;
  used: boolean;
  /** Settles a while after the utterance before has finished. */
  settled: Promise<void> | undefined;
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
  /** Takes the running utterance from a socket that was closed in order; false where its text was sent. */
  #onClean: () => boolean = () => false;
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
    if (options.request !== undefined) checkRequest(options.request);
    if (text !== undefined) checkText(text);
    const request = { ...this.#request, ...options.request } as LiveRequest;
    const start = options.request === undefined ? this.#start : encodeStart(request);
    const utterance = new Utterance(request, this.#limits, options, (reusable) => {
      this.#utterance = undefined;
      if (!reusable) this.#drop();
      else if (this.#link) this.#link.settled = settle(this.#link.socket);
    });
    this.#utterance = utterance;
    utterance.heedSignal();
    if (utterance.ended) return utterance;
    void this.#begin(utterance, start);
    if (text !== undefined) void utterance.feed(text);
    return utterance;
  }

  get isReady(): boolean {
    return !this.#closed && this.#link?.socket.isOpen === true && this.#utterance === undefined;
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
    const settings = this.#settings;
    const began = performance.now();
    const told = () => ({ operationId: 'openLiveSession', milliseconds: performance.now() - began });
    const { signal: closing } = this.#closing;
    const abort = new AbortController();
    const onClosing = (): void => abort.abort(closing.reason);
    closing.addEventListener('abort', onClosing, { once: true });
    if (closing.aborted) onClosing();
    const milliseconds = this.#options.timeouts?.headers ?? settings.timeouts?.headers ?? connectMilliseconds;
    const deadline = new Deadline(milliseconds, () => abort.abort(new TimeoutError('headers', milliseconds)));
    deadline.run(true);
    try {
      const target = await unlessAborted(
        targetOf(settings, this.#options, abort.signal, this.#redact),
        abort.signal,
      );
      const link = await this.#openLink(target, abort.signal);
      if (this.#closed) {
        link.socket.close();
        throw closing.reason;
      }
      settings.logger?.debug?.('live session opened', { ...told(), traceId: link.traceId });
      return link;
    } catch (error) {
      const name = SpeechError.isInstance(error) ? error.name : 'Error';
      settings.logger?.warn?.('live session failed', { ...told(), error: name });
      throw error;
    } finally {
      deadline.stop();
      closing.removeEventListener('abort', onClosing);
    }
  }

  async #openLink(target: SocketTarget, signal: AbortSignal): Promise<Link> {
    let link: Link | undefined;
    let failure: SpeechError | undefined;
    let onAnswer: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => {
      onAnswer = resolve;
    });
    const sentTrace = target.headers[headerNames.traceparent]?.split('-')[1];
    const fail = (error: SpeechError, isClean = false): void => {
      failure ??= error;
      onAnswer?.();
      if (link === undefined || this.#link !== link) return;
      this.#link = undefined;
      link.socket.close();
      const utterance = this.#utterance;
      // One that waits for a socket gets the next one.
      if (utterance?.socket !== link.socket || (isClean && this.#onClean())) return;
      utterance.fail(error);
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
        } else if (message.event === 'ready') onAnswer?.();
        else if (link !== undefined && this.#link === link) {
          if (message.event === 'finish' && message.reason === 'error') {
            this.#utterance?.fail(
              finishError({ ...message, message: this.#redact(message.message) }, traceId),
            );
          } else this.#utterance?.receive(message);
        }
      },
      closed: (code, reason, violation) => {
        const error = closedEarly(code, this.#redact(reason), link?.traceId ?? sentTrace, violation);
        fail(error, violation === undefined && cleanCodes.includes(code));
      },
    };
    const socket = await this.#openSocket(target, handlers);
    link = { socket, traceId: socket.traceId ?? sentTrace, used: false, settled: undefined };
    try {
      const isRelay = this.#settings.relay && socket.protocol === relayProtocol;
      if (isRelay || !socket.isOpen) await unlessAborted(answered, signal);
      // An error may come in one packet with the answer to the upgrade, before there is a link.
      if (failure !== undefined) throw failure;
    } catch (error) {
      socket.close();
      throw error;
    }
    this.#link = link;
    return link;
  }

  /** Sends `start` on the socket of the connection, or on a new one, and then what the utterance has to say. */
  async #begin(utterance: Utterance, start: Uint8Array<ArrayBuffer> | Blob) {
    try {
      const frame = start instanceof Blob ? await bytesOf(start) : start;
      await this.#link?.settled;
      if (this.#utterance !== utterance) return;
      if (!this.#link?.socket.isOpen) this.#drop();
      const link = this.#link ?? (await this.open());
      if (this.#utterance !== utterance) return;
      utterance.attach(link.socket, frame, link.used);
      link.used = true;
      this.#onClean = () => utterance.detach(() => void this.#begin(utterance, frame));
    } catch (error) {
      utterance.fail(error);
    }
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

/**
 * A server may close right behind `finish`. In short steps, because a timer that is late fires before what came
 * meanwhile is read.
 */
async function settle(socket: LiveSocket): Promise<void> {
  const steps = 5;
  for (let step = 0; step < steps && socket.isOpen; step += 1)
    await new Promise((resolve) => setTimeout(resolve, settleMilliseconds / steps));
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

import { type Agent, globalAgent, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { headerNames } from '@speech-api/types/constants';
import { liveCloseCodes } from '@speech-api/types/live';
import { type RawData, WebSocket } from 'ws';
import {
  type LiveSocket,
  maximumFrameBytes,
  type OpenSocket,
  readRefusal,
  refusedUpgrade,
  type SocketHandlers,
  type SocketTarget,
  tooLargeWords,
  unreachable,
} from './socket.ts';

/** Milliseconds for the other side to answer our close. */
const goodbyeMilliseconds = 500;
/** Time for the other side to answer a ping. */
const pongMilliseconds = 2000;

/** Opens a socket by `ws`: it shows why an upgrade was refused, can be paused, and goes through a proxy. */
export const openNodeSocket: OpenSocket = async (target, handlers) => {
  target.signal.throwIfAborted();
  const isSecure = target.url.startsWith('wss:');
  const socket = new WebSocket(target.url, [...target.protocols], {
    headers: { ...target.headers },
    agent: (target.agent as Agent | undefined) ?? (isSecure ? environmentAgent() : undefined),
    // Audio is already compressed, and a compressed frame can be a bomb.
    perMessageDeflate: false,
    maxPayload: maximumFrameBytes,
    followRedirects: false,
  });
  const live = new NodeSocket(socket, handlers);
  await openingOf(socket, target);
  return live;
};

/** Where Node follows the proxies of its environment, its own agent has them; `ws` passes that agent by. */
function environmentAgent(): Agent | undefined {
  const { proxyEnv } = (globalAgent as { readonly options?: { readonly proxyEnv?: object } }).options ?? {};
  return proxyEnv && new SecureAgent({ proxyEnv } as object);
}

/** Settles with the answer to the upgrade. */
function openingOf(socket: WebSocket, target: SocketTarget): Promise<void> {
  const { signal } = target;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => fail(signal.reason);
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      reject(error);
      socket.terminate();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const onError = (cause: Error): void => fail(unreachable(target, cause));
    socket.once('error', onError);
    socket.once('unexpected-response', async (_request, response: IncomingMessage) => {
      // From here on the status is known, whatever happens to the body.
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      const text = await readRefusal(response, signal);
      fail(refusedUpgrade(response.statusCode ?? 0, headersOf(response), target.redact(text)));
    });
    socket.once('open', () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}

/** A socket of `ws`, whose listeners are there before its first frame. */
class NodeSocket implements LiveSocket {
  readonly #socket: WebSocket;
  traceId: string | undefined;
  #failure: (Error & { readonly code?: string }) | undefined;
  #isClosing = false;
  /** Those who wait until something was sent. */
  #waiting: (() => void)[] = [];

  constructor(socket: WebSocket, handlers: SocketHandlers) {
    this.#socket = socket;
    socket.on('upgrade', ({ headers }) => {
      this.traceId = [headers[headerNames.traceId]].flat()[0];
    });
    socket.on('error', (cause) => {
      this.#failure = cause;
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary && !this.#isClosing) handlers.frame(bytesOf(data));
    });
    socket.once('close', (code, reason) => {
      this.#onSent();
      if (this.#isClosing) return;
      // This side detects oversized frames, and the close code it sends does not come back.
      const isTooLarge = this.#failure?.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      if (isTooLarge) handlers.closed(liveCloseCodes.tooLarge, tooLargeWords);
      else handlers.closed(code, this.#failure?.message ?? reason.toString());
    });
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.isOpen) this.#socket.send(frame, { binary: true }, this.#onSent);
  }

  unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  someSent(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly #onSent = (): void => {
    for (const resolve of this.#waiting.splice(0)) resolve();
  };

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  responds(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pongMilliseconds, false);
      this.#socket.once('pong', () => {
        clearTimeout(timer);
        resolve(true);
      });
      this.#socket.ping();
    });
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    // A paused socket would not see the answer.
    this.#socket.resume();
    this.#socket.close(liveCloseCodes.finished);
    setTimeout(() => this.#socket.terminate(), goodbyeMilliseconds).unref();
    this.#onSent();
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

function headersOf({ headers }: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const single of [value ?? []].flat()) result.append(name, single);
  }
  return result;
}

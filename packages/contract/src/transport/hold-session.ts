import type { IncomingMessage } from 'node:http';
import { decode, encode } from '@msgpack/msgpack';
import { operationTable } from '@speech-api/types';
import { WebSocket } from 'ws';
import type { LiveClose, LiveExchange, LiveMessage, RecordedResponse } from '../exchange.ts';
import { headersOf, readAnswer, type TransportLimits } from './send-call.ts';

/** `finish` waits for the end of the session, `close` for the end of the socket; both have a deadline. */
export type LiveAction =
  | { readonly send: Readonly<Record<string, unknown>> }
  | { readonly wait: 'audio' | 'finish' | 'close' };

/** Request and script of a session. */
interface SessionCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly script: readonly LiveAction[];
}

/** Record of a session. */
interface Session extends Pick<LiveExchange, 'upgrade' | 'messages' | 'close' | 'unanswered'> {
  /** Reason why the upgrade got no answer; its status is then 0. */
  readonly failure?: Error;
}

/** The address of live sessions below the base address of the WebSocket API. */
export function liveAddress(base: string): string {
  return `${base}${operationTable.openLiveSession.path}`;
}

type AwaitedEvent = 'audio' | 'finish' | 'close';

/** Holds one live session from the upgrade to the close and notes down every message. Never rejects. */
export async function holdSession(
  call: SessionCall,
  limits: TransportLimits,
  signal?: AbortSignal,
): Promise<Session> {
  const held = new HeldSession(call, limits, signal);
  await held.opened;
  await held.play(call.script);
  return held.seen();
}

class HeldSession {
  /** Resolves once the upgrade is answered, or nothing will come. */
  readonly opened: Promise<void>;
  readonly #url: string;
  readonly #limits: TransportLimits;
  readonly #socket: WebSocket;
  readonly #messages: LiveMessage[] = [];
  readonly #unanswered: AwaitedEvent[] = [];
  #headers: Readonly<Record<string, string>>;
  #upgraded: RecordedResponse | undefined;
  #failure: Error | undefined;
  #close: LiveClose | undefined;
  #isClosing = false;
  /** How many messages earlier waits have looked at. */
  #looked = 0;
  #wake = () => {};

  constructor({ url, headers }: SessionCall, limits: TransportLimits, signal: AbortSignal | undefined) {
    this.#url = url;
    this.#headers = headers;
    this.#limits = limits;
    this.#socket = new WebSocket(url, {
      headers,
      // The judge looks at what the server says, not at how well it compresses.
      perMessageDeflate: false,
      handshakeTimeout: limits.idleMs,
      ...(signal !== undefined && { signal }),
      // The library chooses the key of the handshake; the judge needs it to look at the answer.
      finishRequest: (request) => {
        const key = String(request.getHeader('sec-websocket-key'));
        this.#headers = { ...this.#headers, 'sec-websocket-key': key };
        request.end();
      },
    });
    this.opened = new Promise((resolve) => this.#listen(resolve));
  }

  #listen(opened: () => void): void {
    this.#socket.on('upgrade', (response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      this.#upgraded = { status, headers: headersOf(response), body: new Uint8Array(), ended: 'complete' };
    });
    this.#socket.on('open', () => opened());
    this.#socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      readAnswer(response, this.#limits).then((refusal) => {
        this.#upgraded = refusal;
        opened();
      });
    });
    this.#socket.on('error', (error: Error) => {
      this.#failure = error;
      opened();
      this.#wake();
    });
    this.#socket.on('message', (data: Buffer, isBinary: boolean) => {
      const frame = isBinary ? 'binary' : 'text';
      this.#messages.push({ direction: 'received', frame, bytes: new Uint8Array(data) });
      this.#wake();
    });
    this.#socket.on('close', (code, reason) => {
      const by = this.#isClosing ? 'client' : 'server';
      this.#close ??= { code, reason: reason.toString(), by };
      this.#wake();
    });
  }

  /** Sends and waits as the script says, and closes. */
  async play(script: readonly LiveAction[]): Promise<void> {
    if (this.#upgraded?.status !== 101 || this.#socket.readyState !== WebSocket.OPEN) {
      this.#socket.terminate();
      return;
    }
    for (const action of script) {
      if ('send' in action) {
        if (this.#socket.readyState !== WebSocket.OPEN) return;
        const bytes = encode(action.send, { ignoreUndefined: true });
        this.#messages.push({ direction: 'sent', frame: 'binary', bytes });
        this.#socket.send(bytes);
      } else if (!(await this.#arrived(action.wait))) {
        // Other rules judge an error message; a socket that was closed instead has not answered.
        if (this.#hasError()) break;
        this.#unanswered.push(action.wait);
        // Audio that is missing so far may come with the next actions.
        if (action.wait !== 'audio' || this.#close !== undefined) break;
      }
    }
    if (this.#close !== undefined) return;
    this.#isClosing = true;
    this.#socket.close(1000);
    if (!(await this.#arrived('close'))) this.#socket.terminate();
  }

  #hasError(): boolean {
    return this.#messages.some(
      ({ direction, bytes }) => direction === 'received' && eventOf(bytes) === 'error',
    );
  }

  /** Waits until a message of the kind comes that no earlier wait has seen, or the socket closes. */
  async #arrived(what: AwaitedEvent): Promise<boolean> {
    const deadline = performance.now() + this.#limits.idleMs;
    for (;;) {
      if (what === 'close' && this.#close !== undefined) return true;
      for (; what !== 'close' && this.#looked < this.#messages.length; ) {
        const message = this.#messages[this.#looked];
        this.#looked += 1;
        const event = message?.direction === 'received' ? eventOf(message.bytes) : undefined;
        if (event === what) return true;
        if (event === 'error') return false;
      }
      if (this.#close !== undefined) return what === 'close';
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  seen(): Session {
    const none = { status: 0, headers: {}, body: new Uint8Array(), ended: 'cut' as const };
    const response = this.#upgraded ?? none;
    const close = this.#close ?? { code: 1006, reason: '', by: 'nobody' as const };
    return {
      upgrade: { request: { method: 'GET', url: this.#url, headers: this.#headers }, response },
      messages: this.#messages,
      ...(response.status === 101 && { unanswered: this.#unanswered, close }),
      ...(this.#upgraded === undefined && {
        failure: this.#failure ?? new Error('the connection ended without an answer'),
      }),
    };
  }
}

function eventOf(bytes: Uint8Array): unknown {
  try {
    const value = decode(bytes);
    return typeof value === 'object' && value !== null && 'event' in value ? value.event : undefined;
  } catch {
    return undefined;
  }
}

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

/** The state of a session so far. */
interface Seen {
  readonly messages: LiveMessage[];
  readonly unanswered: AwaitedEvent[];
  headers: Readonly<Record<string, string>>;
  upgraded?: RecordedResponse;
  failure?: Error;
  close?: LiveClose;
  isClosing: boolean;
  /** Number of messages that earlier waits have examined. */
  lookedAt: number;
  /** Ends the wait for something new. */
  wake: () => void;
}

/** Holds one live session from the upgrade to the close and notes down every message. Never rejects. */
export async function holdSession(
  call: SessionCall,
  limits: TransportLimits,
  signal?: AbortSignal,
): Promise<Session> {
  const { url, headers, script } = call;
  const seen: Seen = {
    messages: [],
    unanswered: [],
    headers,
    isClosing: false,
    lookedAt: 0,
    wake: () => {},
  };
  const socket = await open(call, seen, limits, signal);
  const response = seen.upgraded ?? { status: 0, headers: {}, body: new Uint8Array(), ended: 'cut' };
  if (response.status === 101 && socket.readyState === WebSocket.OPEN) {
    await play(script, socket, seen, limits);
    if (seen.close === undefined) {
      seen.isClosing = true;
      socket.close(1000);
      if (!(await arrived('close', seen, limits))) socket.terminate();
    }
  } else socket.terminate();
  const { messages, unanswered, close = { code: 1006, reason: '', by: 'nobody' } } = seen;
  return {
    upgrade: { request: { method: 'GET', url, headers: seen.headers }, response },
    messages,
    ...(response.status === 101 && { unanswered, close }),
    ...(seen.upgraded === undefined && {
      failure: seen.failure ?? new Error('the connection ended without an answer'),
    }),
  };
}

/** Resolves once the upgrade is answered or has failed. */
async function open(
  { url, headers }: SessionCall,
  seen: Seen,
  limits: TransportLimits,
  signal?: AbortSignal,
) {
  const socket = new WebSocket(url, {
    headers,
    // The judge examines the server's messages, not its compression.
    perMessageDeflate: false,
    handshakeTimeout: limits.idleMs,
    ...(signal !== undefined && { signal }),
    // The library chooses the key of the handshake; the judge needs it to look at the answer.
    finishRequest: (request) => {
      const key = String(request.getHeader('sec-websocket-key'));
      seen.headers = { ...headers, 'sec-websocket-key': key };
      request.end();
    },
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const frame = isBinary ? 'binary' : 'text';
    seen.messages.push({ direction: 'received', frame, bytes: new Uint8Array(data) });
    seen.wake();
  });
  socket.on('close', (code, reason) => {
    seen.close ??= { code, reason: reason.toString(), by: seen.isClosing ? 'client' : 'server' };
    seen.wake();
  });
  await new Promise<void>((opened) => {
    socket.on('upgrade', (response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      seen.upgraded = { status, headers: headersOf(response), body: new Uint8Array(), ended: 'complete' };
    });
    socket.on('open', () => opened());
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      readAnswer(response, limits).then((refusal) => {
        seen.upgraded = refusal;
        opened();
      });
    });
    socket.on('error', (error) => {
      seen.failure = error;
      opened();
      seen.wake();
    });
  });
  return socket;
}

/** Sends and waits as the script says. */
async function play(
  script: readonly LiveAction[],
  socket: WebSocket,
  seen: Seen,
  limits: TransportLimits,
): Promise<void> {
  for (const action of script) {
    if ('send' in action) {
      if (socket.readyState !== WebSocket.OPEN) return;
      const bytes = encode(action.send, { ignoreUndefined: true });
      seen.messages.push({ direction: 'sent', frame: 'binary', bytes });
      socket.send(bytes);
    } else if (!(await arrived(action.wait, seen, limits))) {
      // An error message has other rules; a closed socket without one has not answered.
      const received = seen.messages.filter(({ direction }) => direction === 'received');
      if (received.some(({ bytes }) => eventOf(bytes) === 'error')) return;
      seen.unanswered.push(action.wait);
      // Missing audio may still arrive with the next actions.
      if (action.wait !== 'audio' || seen.close !== undefined) return;
    }
  }
}

/** Waits for a message of this kind that no earlier wait has examined, or for the end of the socket. */
async function arrived(what: AwaitedEvent, seen: Seen, { idleMs }: TransportLimits): Promise<boolean> {
  const deadline = performance.now() + idleMs;
  for (;;) {
    while (what !== 'close' && seen.lookedAt < seen.messages.length) {
      const message = seen.messages[seen.lookedAt];
      seen.lookedAt += 1;
      const event = message?.direction === 'received' ? eventOf(message.bytes) : undefined;
      if (event === what) return true;
      if (event === 'error') return false;
    }
    if (seen.close !== undefined) return what === 'close';
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) return false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, remainingMs);
      seen.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
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

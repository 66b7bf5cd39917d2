import type { IncomingMessage } from 'node:http';
import { decode, encode } from '@msgpack/msgpack';
import { operationTable } from '@speech-api/types';
import { WebSocket } from 'ws';
import type { LiveClose, LiveExchange, LiveMessage, RecordedResponse } from '../exchange.ts';

import { headersOf, type TransportLimits } from './send-call.ts';

/** `finish` waits for the end of the session, `close` for the end of the socket; both have a deadline. */
export type LiveAction =
  | { readonly send: Readonly<Record<string, unknown>> }
  | { readonly wait: 'audio' | 'finish' | 'close' };

/** What a session is held with. */
interface SessionCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly script: readonly LiveAction[];
}

/** What was seen of a session. */
interface Session extends Pick<LiveExchange, 'upgrade' | 'messages' | 'close' | 'unanswered'> {
  /** Why there was no answer to the upgrade; its status is then 0. */
  readonly failure?: Error;
}

/** The address of live sessions below the base address of the WebSocket API. */
export function liveAddress(base: string): string {
  return `${base}${operationTable.openLiveSession.path}`;
}

/** Holds one live session from the upgrade to the close and notes down every message. Never rejects. */
export async function holdSession(
  call: SessionCall,
  limits: TransportLimits,
  signal?: AbortSignal,
): Promise<Session> {
  const startedAt = performance.now();
  const now = () => Math.round(performance.now() - startedAt);
  const messages: LiveMessage[] = [];
  let close: LiveClose | undefined;
  let closing = false;
  let upgraded: RecordedResponse | undefined;
  let failure: Error | undefined;
  let seen = 0;
  const unanswered: ('audio' | 'finish' | 'close')[] = [];
  let wake = () => {};
  let headers = call.headers;

  const socket = new WebSocket(call.url, {
    headers: call.headers,
    // The judge looks at what the server says, not at how well it compresses.
    perMessageDeflate: false,
    handshakeTimeout: limits.idleMs,
    maxPayload: limits.bodyBytes,
    ...(signal !== undefined && { signal }),
    // The library chooses the key of the handshake; the judge needs it to look at the answer.
    finishRequest: (request) => {
      headers = { ...headers, 'sec-websocket-key': String(request.getHeader('sec-websocket-key')) };
      request.end();
    },
  });
  const opened = new Promise<void>((resolve) => {
    socket.on('upgrade', (response: IncomingMessage) => {
      upgraded = {
        status: response.statusCode ?? 0,
        headers: headersOf(response),
        body: new Uint8Array(),
        ended: 'complete',
      };
    });
    socket.on('open', () => resolve());
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      readAll(response, limits).then((refusal) => {
        upgraded = refusal;
        resolve();
      });
    });
    socket.on('error', (error) => {
      failure = error;
      resolve();
      wake();
    });
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    messages.push({
      direction: 'received',
      atMs: now(),
      frame: isBinary ? 'binary' : 'text',
      bytes: new Uint8Array(data),
    });
    wake();
  });
  socket.on('close', (code, reason) => {
    close = { code, reason: reason.toString(), by: closing ? 'client' : 'server', atMs: now() };
    wake();
  });

  await opened;
  const response = upgraded ?? { status: 0, headers: {}, body: new Uint8Array(), ended: 'cut' as const };
  if (response.status === 101 && socket.readyState === WebSocket.OPEN) await play();
  else socket.terminate();
  return {
    upgrade: { request: { method: 'GET', url: call.url, headers }, response },
    messages,
    ...(response.status === 101 && { unanswered }),
    ...(response.status === 101 && { close: close ?? { code: 1006, reason: '', by: 'nobody', atMs: now() } }),
    ...(upgraded === undefined && {
      failure: failure ?? new Error('the connection ended without an answer'),
    }),
  };

  async function play(): Promise<void> {
    for (const action of call.script) {
      if ('send' in action) {
        if (socket.readyState !== WebSocket.OPEN) return;
        const bytes = encode(action.send, { ignoreUndefined: true });
        messages.push({ direction: 'sent', atMs: now(), frame: 'binary', bytes });
        socket.send(bytes);
      } else if (!(await arrived(action.wait))) {
        // Other rules judge an error message; a socket that was closed instead has not answered.
        if (hasError()) break;
        unanswered.push(action.wait);
        // What is not spoken yet may come with what follows.
        if (action.wait !== 'audio' || close !== undefined) break;
      }
    }
    if (close === undefined) {
      closing = true;
      socket.close(1000);
      if (!(await arrived('close'))) socket.terminate();
    }
  }

  function hasError(): boolean {
    return messages.some(({ direction, bytes }) => direction === 'received' && eventOf(bytes) === 'error');
  }

  /** Waits until a message of the kind comes that no earlier wait has seen, or the socket closes. */
  async function arrived(what: 'audio' | 'finish' | 'close'): Promise<boolean> {
    const deadline = performance.now() + limits.idleMs;
    for (;;) {
      if (what === 'close' && close !== undefined) return true;
      for (; what !== 'close' && seen < messages.length; ) {
        const message = messages[seen];
        seen += 1;
        const event = message?.direction === 'received' ? eventOf(message.bytes) : undefined;
        if (event === what) return true;
        if (event === 'error') return false;
      }
      if (close !== undefined) return what === 'close';
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
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

function readAll(response: IncomingMessage, limits: TransportLimits): Promise<RecordedResponse> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const finish = (ended: RecordedResponse['ended']) => {
      clearTimeout(timer);
      resolve({
        status: response.statusCode ?? 0,
        headers: headersOf(response),
        body: new Uint8Array(Buffer.concat(pieces)),
        ended,
      });
    };
    const timer = setTimeout(() => {
      finish('deadline');
      response.destroy();
    }, limits.idleMs);
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('error', () => {});
    response.on('close', () => finish(response.complete ? 'complete' : 'cut'));
  });
}

import { once } from 'node:events';
import { decode, encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';
import type { RunningMock } from '../start-mock.ts';

/** A message of the server, as it came. */
export type Received = Readonly<Record<string, unknown>> & { readonly event: string };

/** A live socket as a test sees it: made with the library alone, so that no client of ours hides a fault. */
export interface LiveClient {
  readonly socket: WebSocket;
  readonly received: readonly Received[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(...messages: readonly object[]): void;
  /** The next message with the event, from now on or not yet taken. @throws when the socket closes before it comes */
  next(event: string): Promise<Received>;
  /** All audio that came so far, joined. */
  audio(): Buffer;
}

export const liveHeaders: Readonly<Record<string, string>> = { authorization: 'Bearer any', model: 's2-pro' };

export function liveUrl(mock: RunningMock): string {
  return `${mock.url.replace('http', 'ws')}/v1/tts/live`;
}

/** Opens a live socket. @throws when the upgrade is refused */
export async function openLive(mock: RunningMock, headers = liveHeaders): Promise<LiveClient> {
  const socket = new WebSocket(liveUrl(mock), { headers });
  const received: Received[] = [];
  let taken = 0;
  const news = new EventTarget();
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
      news.dispatchEvent(new Event('news'));
    });
  });
  socket.on('message', (data) => {
    received.push(decode(data as Buffer) as Received);
    news.dispatchEvent(new Event('news'));
  });
  await once(socket, 'open');
  // What comes later is told by the close.
  socket.on('error', () => {});
  return {
    socket,
    received,
    closed,
    send(...messages) {
      for (const message of messages) socket.send(encode(message));
    },
    async next(event) {
      for (;;) {
        for (; taken < received.length; taken += 1) {
          const message = received[taken];
          if (message?.event !== event) continue;
          taken += 1;
          return message;
        }
        if (socket.readyState === WebSocket.CLOSED) throw new Error(`closed before ${event}`);
        await once(news, 'news');
      }
    },
    audio: () => Buffer.concat(received.flatMap(({ audio }) => (audio instanceof Uint8Array ? [audio] : []))),
  };
}

/** The status and the body by which an upgrade is refused. */
export async function refusedUpgrade(
  mock: RunningMock,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const socket = new WebSocket(liveUrl(mock), { headers });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

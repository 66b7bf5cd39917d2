import { decode, encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';
import type { LiveMessage } from './carried.ts';

/** What a session brought. */
export interface LiveOutcome {
  /** The events, in the order they came. */
  readonly events: readonly string[];
  /** Bytes of audio. */
  readonly bytes: number;
  readonly closeCode: number;
}

/** The event that a message is, or an empty string for what is none, such as the close frame. */
export function eventOf({ kind, payload }: LiveMessage): string {
  if (kind !== 'binary') return '';
  const message = decode(payload);
  return typeof message === 'object' && message !== null && 'event' in message ? String(message.event) : '';
}

/** Speaks one sentence over a live session, and closes the socket once it is finished; what comes until then still counts. */
export function liveMessages(url: string, key = 'sandbox-key'): Promise<LiveOutcome> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/tts/live`, {
    headers: { authorization: `Bearer ${key}`, model: 's2-pro' },
  });
  const events: string[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => {
      const messages = [
        { event: 'start', request: { text: '', format: 'pcm' } },
        { event: 'text', text: 'One, two, three.' },
        { event: 'stop' },
      ];
      for (const message of messages) socket.send(encode(message));
    });
    socket.on('message', (data: Buffer) => {
      const event = eventOf({ kind: 'binary', payload: data });
      events.push(event);
      if (event === 'audio') bytes += data.length;
      if (event === 'finish') socket.close(1000);
    });
    socket.on('close', (closeCode) => resolve({ events, bytes, closeCode }));
  });
}

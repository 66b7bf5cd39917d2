// A part of the way of a live session, in a process of its own: the service, a bare TCP pipe to it, or the relay.
// The first line is its address. Asked by its parent, it says what memory it takes.

import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { encode } from '@msgpack/msgpack';
import { startRelay } from '@speech-api/relay';
import { WebSocketServer } from 'ws';
import './tell-memory.ts';

const [, , part = 'service', upstream = ''] = process.argv;
const parts: Readonly<Record<string, () => void>> = { service, pipe, relay: () => void relay() };
parts[part]?.();
// It ends with its parent.
process.once('disconnect', () => process.exit());

/** Answers each `text` with one audio frame, or with what it asks for: `4096x100` frames, `/50` milliseconds apart. */
function service(): void {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const answer = Buffer.from(encode({ event: 'audio', audio: new Uint8Array(4096) }));
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      if (data.includes('start')) return;
      const many = /(\d+)x(\d+)(?:\/(\d+))?$/.exec(data.toString('latin1'));
      if (many === null) socket.send(answer);
      else void send(Number(many[1]), Number(many[2]), Number(many[3] ?? 0));
    });
    async function send(bytes: number, count: number, pause: number): Promise<void> {
      const frame = Buffer.from(encode({ event: 'audio', audio: new Uint8Array(bytes) }));
      for (let sent = 0; sent < count; sent += 1) {
        if (pause > 0) await setTimeout(pause);
        if (socket.bufferedAmount < 1_000_000) socket.send(frame);
        else await new Promise<void>((resolve) => socket.send(frame, () => resolve()));
      }
    }
  });
  server.on('listening', () => tell(server.address() as AddressInfo));
}

/** What any process in between costs. */
function pipe(): void {
  const { port } = new URL(upstream);
  const server = createServer({ noDelay: true }, (socket) => {
    const behind = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
    socket.pipe(behind).pipe(socket);
    socket.on('error', () => behind.destroy());
    behind.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => tell(server.address() as AddressInfo));
}

async function relay(): Promise<void> {
  const many = 1e6;
  const { url } = await startRelay({
    upstream: { webSocketUrl: upstream, apiKey: 'bench-key', model: 's2-pro' },
    origins: [],
    authorize: () => ({ user: 'bench' }),
    limits: {
      sessions: many,
      sessionsPerUser: many,
      sessionsPerOrigin: many,
      startsPerUserAndMinute: many,
      startsPerOriginAndMinute: many,
      charactersPerSession: 1e9,
      charactersPerUserAndDay: 1e9,
      charactersPerOriginAndDay: 1e9,
    },
  });
  process.stdout.write(`${url.replace('http', 'ws')}\n`);
}

function tell({ port }: AddressInfo): void {
  process.stdout.write(`ws://127.0.0.1:${port}\n`);
}

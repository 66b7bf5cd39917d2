// The other side of measured clients, in a process of its own: a bare HTTP server, a live service, a TCP pipe to that
// service, or the relay. It prints its address.
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createPipe } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { encode } from '@msgpack/msgpack';
import { connectRedis, createTickets, startRelay } from '@speech-api/relay';
import { WebSocketServer } from 'ws';
import { ticketSecret } from '../processes.ts';

const [, , part = '', upstream = '', redisUrl = ''] = process.argv;
const parts: Readonly<Record<string, () => unknown>> = { http, service, pipe, relay };
parts[part]?.();

function tell(scheme: string, address: AddressInfo | string | null): void {
  process.stdout.write(`${scheme}://127.0.0.1:${(address as AddressInfo).port}\n`);
}

/** Answers each GET with a voice model and each POST with audio, whose length a header may ask for. */
function http(): void {
  const at = '2026-01-01T00:00:00Z';
  const counts = { like_count: 0, mark_count: 0, shared_count: 0, task_count: 0 };
  const author = { _id: 'author', nickname: 'Author', avatar: '' };
  const kind = { type: 'tts', title: 'Voice', state: 'trained', visibility: 'public', tags: ['calm'] };
  const voice = JSON.stringify({ _id: 'voice', ...kind, created_at: at, updated_at: at, ...counts, author });
  const shortClip = Buffer.alloc(4000, 1);
  const server = createServer((request, response) => {
    const { method, headers } = request.resume();
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': voice.length });
      return response.end(voice);
    }
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      const bytes = headers['x-bench-bytes'];
      if (bytes !== undefined) return void sendLarge(response, Number(bytes));
      if (headers['x-bench-pause'] === undefined) return response.end(shortClip);
      // One chunk at once, the rest after a pause, as a service does that is still speaking.
      response.write(shortClip);
      setTimeout(() => response.end(shortClip), 50);
    });
  });
  server.listen(0, '127.0.0.1', () => tell('http', server.address()));
}

async function sendLarge(response: ServerResponse, bytes: number): Promise<void> {
  const block = Buffer.alloc(64 * 1024, 1);
  for (let left = bytes; left > 0 && !response.destroyed; left -= block.length) {
    if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

/** Answers each `text` with one audio frame, or with what it asks for: `4096x100` frames, `/50` milliseconds apart. */
function service(): void {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const frameOf = (bytes: number) => Buffer.from(encode({ event: 'audio', audio: new Uint8Array(bytes) }));
  const answer = frameOf(4096);
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      if (data.includes('start')) return;
      const many = /(\d+)x(\d+)(?:\/(\d+))?$/.exec(data.toString('latin1'));
      if (many === null) socket.send(answer);
      else void send(frameOf(Number(many[1])), Number(many[2]), Number(many[3] ?? 0));
    });
    async function send(frame: Buffer, count: number, pause: number): Promise<void> {
      for (let sent = 0; sent < count; sent += 1) {
        if (pause > 0) await sleep(pause);
        if (socket.bufferedAmount < 1_000_000) socket.send(frame);
        else await new Promise<void>((resolve) => socket.send(frame, () => resolve()));
      }
    }
  });
  server.on('listening', () => tell('ws', server.address()));
}

/** The least that any process in between costs. */
function pipe(): void {
  const server = createPipe({ noDelay: true }, (socket) => {
    const behind = connect({ port: Number(new URL(upstream).port), host: '127.0.0.1', noDelay: true });
    socket.pipe(behind).pipe(socket);
    socket.on('error', () => behind.destroy());
    behind.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => tell('ws', server.address()));
}

async function relay(): Promise<void> {
  const state = redisUrl === '' ? undefined : await connectRedis({ url: redisUrl });
  const tickets = createTickets({ secret: ticketSecret, state });
  const { url } = await startRelay({
    state,
    upstream: { webSocketUrl: upstream, apiKey: 'bench-key', model: 's2-pro' },
    origins: [],
    authorize: ({ ticket }) => (ticket === undefined ? { user: 'bench' } : tickets.redeem(ticket)),
    limits: {
      sessions: 1e6,
      messagesPerSecond: 1e6,
      idleSeconds: 600,
      sessionsPerUser: 1e6,
      sessionsPerOrigin: 1e6,
      startsPerUserAndMinute: 1e6,
      startsPerOriginAndMinute: 1e6,
      charactersPerSession: 1e9,
      charactersPerUserAndDay: 1e9,
      charactersPerOriginAndDay: 1e9,
    },
  });
  process.stdout.write(`${url.replace('http', 'ws')}\n`);
}

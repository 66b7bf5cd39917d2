// The server for measured clients, in its own process: a bare HTTP server or a live service. It prints its address.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encode } from '@msgpack/msgpack';
import { WebSocketServer } from 'ws';

const servers: Readonly<Record<string, () => unknown>> = { http, live };
servers[process.argv[2] ?? '']?.();

function printAddress(scheme: string, address: AddressInfo | string | null): void {
  process.stdout.write(`${scheme}://127.0.0.1:${(address as AddressInfo).port}\n`);
}

/** Answers each GET with a voice model and each POST with audio. */
function http(): void {
  const at = '2026-01-01T00:00:00Z';
  const counts = { like_count: 0, mark_count: 0, shared_count: 0, task_count: 0 };
  const author = { _id: 'author', nickname: 'Author', avatar: '' };
  const kind = { type: 'tts', title: 'Voice', state: 'trained', visibility: 'public', tags: ['calm'] };
  const voice = JSON.stringify({ _id: 'voice', ...kind, created_at: at, updated_at: at, ...counts, author });
  const clip = Buffer.alloc(4000, 1);
  const server = createServer((request, response) => {
    const { method, headers } = request.resume();
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': voice.length });
      return response.end(voice);
    }
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      if (headers['x-bench-pause'] === undefined) return response.end(clip);
      // Sends one chunk at once and the rest after a pause, like a service that is still speaking.
      response.write(clip);
      setTimeout(() => response.end(clip), 50);
    });
  });
  server.listen(0, '127.0.0.1', () => printAddress('http', server.address()));
}

/** Answers a text such as `4096x100` with 100 audio frames of 4096 bytes. */
function live(): void {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket) => {
    socket.on('message', async (data: Buffer) => {
      const [, bytes, count] = /(\d+)x(\d+)$/.exec(data.toString('latin1')) ?? [];
      const frame = Buffer.from(encode({ event: 'audio', audio: new Uint8Array(Number(bytes ?? 0)) }));
      for (let sent = 0; sent < Number(count ?? 0); sent += 1) {
        if (socket.bufferedAmount < 1_000_000) socket.send(frame);
        else await new Promise<void>((resolve) => socket.send(frame, () => resolve()));
      }
    });
  });
  server.on('listening', () => printAddress('ws', server.address()));
}

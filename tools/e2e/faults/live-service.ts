import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { decode, encode } from '@msgpack/msgpack';
import { type WebSocket, WebSocketServer } from 'ws';

/** Bytes of audio for each character of text, where a script speaks at all. */
export const bytesPerCharacter = 100;

const audio = (bytes: number): Uint8Array => encode({ event: 'audio', audio: new Uint8Array(bytes) });

/** Speaks and finishes; `stopped` may do something else at the end. */
function speaks(
  socket: WebSocket,
  stopped: () => void = () => socket.send(encode({ event: 'finish', reason: 'stop' })),
) {
  socket.on('message', (data: Buffer) => {
    const { event, text } = decode(data) as { event: string; text?: string };
    if (event === 'text' && text) socket.send(audio(text.length * bytesPerCharacter));
    if (event === 'stop') stopped();
  });
}

/** What the service does with a socket, by the model that the client asks for. */
const scripts: Readonly<Record<string, (socket: WebSocket) => void>> = {
  speaks,
  'is gone in the middle': (socket) => speaks(socket, () => socket.terminate()),
  'loses finish': (socket) => speaks(socket, () => {}),
  // Neither reads nor answers any more, not even a goodbye.
  'is half open': (socket) => speaks(socket, () => socket.pause()),
  'sends garbage': (socket) => speaks(socket, () => socket.send(Buffer.of(0xc1, 1, 2, 3))),
  'sends 10 MB in a frame': (socket) => {
    speaks(socket, () => {
      socket.send(audio(10_000_000));
      socket.send(encode({ event: 'finish', reason: 'stop' }));
    });
  },
  'sends 20 MB in frames': (socket) => {
    speaks(socket, () => {
      for (let count = 0; count < 200; count += 1) socket.send(audio(100_000));
      socket.send(encode({ event: 'finish', reason: 'stop' }));
    });
  },
  'does not read': (socket) => socket.pause(),
};

/** Models whose first connection is closed as soon as it is open; the next ones speak. */
const closesTheFirst = /^closes the first of round \d+$/;

/** A service that does what it is asked to do wrong. */
export async function startFaultyService() {
  const http = createServer();
  const open: Duplex[] = [];
  const closed = new Set<string>();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 1e9 });
  http.on('upgrade', (request, socket, head) => {
    open.push(socket);
    socket.on('error', () => {});
    const name = decodeURIComponent(String(request.headers.model));
    if (name === 'never answers') return;
    if (name === 'refuses') {
      socket.end('HTTP/1.1 402 Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => {});
      if (closesTheFirst.test(name)) {
        if (closed.has(name)) speaks(opened);
        else opened.close(1000);
        closed.add(name);
      }
      scripts[name]?.(opened);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    close() {
      for (const socket of open) socket.destroy();
      http.close();
    },
  };
}

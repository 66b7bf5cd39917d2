// A bare server on loopback, in a process of its own: every contender speaks to it. The first line is its address.
// It ends with its parent, when its stdin closes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const at = '2026-01-01T00:00:00Z';
const counts = { like_count: 0, mark_count: 0, shared_count: 0, task_count: 0 };
const author = { _id: 'author', nickname: 'Author', avatar: '' };
const kind = { type: 'tts', title: 'Voice', state: 'trained', visibility: 'public', tags: ['calm'] };
const voice = JSON.stringify({ _id: 'voice', ...kind, created_at: at, updated_at: at, ...counts, author });
const shortClip = Buffer.alloc(4000, 1);
const block = Buffer.alloc(64 * 1024, 1);

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': voice.length })
      .end(voice);
    return;
  }
  const kind = request.headers['x-bench'];
  if (kind === 'pause') request.resume().on('end', () => pause(response));
  else if (kind === 'large') request.resume().on('end', () => void sendLarge(request, response));
  else request.resume().on('end', () => startAudio(response).end(shortClip));
});

function startAudio(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'audio/pcm' });
}

/** One chunk at once, the rest after a pause, as a service does that is still speaking. */
function pause(response: ServerResponse): void {
  startAudio(response).write(shortClip);
  setTimeout(() => response.end(shortClip), 20);
}

async function sendLarge({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  startAudio(response);
  let left = Number(headers['x-bench-bytes']);
  while (left > 0 && !response.destroyed) {
    left -= block.length;
    if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit());

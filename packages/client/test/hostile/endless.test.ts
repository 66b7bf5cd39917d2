import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { clientOf, errorOf, tone } from '../../src/testing/samples.ts';
import { startServer } from '../../src/testing/start-server.ts';

// A service without end or without HTTP: each call ends, in little memory, with its socket closed, after one request.

type Client = ReturnType<typeof clientOf>;
const mebibyte = 1024 * 1024;
const request = { text: 'Hello there.', format: 'pcm' } as const;
const calls = {
  audio: async ({ speech }: Client) => (await speech.create(request)).bytes({ maximumBytes: 8 * mebibyte }),
  stream: async ({ speech }: Client) => (await speech.streamWithTimestamps(request)).collect(),
  json: ({ transcriptions }: Client) => transcriptions.create({ audio: tone() }),
};
const mediaTypes = { audio: 'audio/pcm', stream: 'text/event-stream', json: 'application/json' };

/** Writes `piece` repeatedly, respecting back-pressure, until the connection closes. */
function pour(response: ServerResponse, piece: Buffer): void {
  while (!response.destroyed) {
    if (!response.write(piece)) return void response.once('drain', () => pour(response, piece));
  }
}

test.each([
  ['audio', 200, '', '\u0001', 'ProtocolError'],
  ['stream', 200, 'data: {"audio_base64": "', 'A', 'ProtocolError'],
  ['json', 200, '{"text": "', 'A', 'ProtocolError'],
  ['json', 200, '', ' ', 'ProtocolError'],
  ['audio', 500, '', ' ', 'ServerError'],
  ['stream', 500, '', ' ', 'ServerError'],
  ['json', 500, '', ' ', 'ServerError'],
] as const)(
  '%s of status %i that begins with %j and never ends',
  async (call, status, head, body, name) => {
    const server = await startServer((_request, response) => {
      response.writeHead(status, { 'content-type': mediaTypes[call] });
      if (head) response.write(head);
      pour(response, Buffer.alloc(mebibyte, body));
    });
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 20);
    expect(await errorOf(calls[call](clientOf(server.url)))).toMatchObject({ name });
    clearInterval(watch);
    expect(most).toBeLessThan(400 * mebibyte);
    await expect.poll(() => server.openSockets()).toBe(0);
    expect(server.seen).toHaveLength(1);
  },
  60_000,
);

test('endless audio that is read in pieces takes no memory', async () => {
  const server = await startServer((_request, response) => {
    pour(response.writeHead(200, { 'content-type': 'audio/pcm' }), Buffer.alloc(64 * 1024, 1));
  });
  const before = process.memoryUsage.rss();
  let length = 0;
  for await (const piece of await clientOf(server.url).speech.create(request)) {
    length += piece.length;
    if (length > 300 * mebibyte) break;
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 * mebibyte);
  await expect.poll(() => server.openSockets()).toBe(0);
});

test('something else than HTTP is a ConnectionError', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('SMTP 220 at your service\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  for (const call of Object.values(calls)) {
    const error = await errorOf(call(clientOf(`http://127.0.0.1:${port}`)));
    expect(error).toMatchObject({ name: 'ConnectionError' });
  }
});

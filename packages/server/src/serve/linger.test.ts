import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createReceiver } from '../receive/receive.ts';
import type { LingerLimits } from './linger.ts';
import { sendJson } from './send.ts';
import { type RunningServer, type Service, startServer } from './serve.ts';

const receiver = createReceiver();
let received = 0;
let latest: IncomingMessage | undefined;
const service: Service = {
  name: 'server under test',
  answerOwnPage: () => false,
  visit: (exchange) => {
    latest = exchange.request;
    return {
      checks: {},
      onReceived() {
        received += 1;
      },
      // Later than the garbage that follows the request.
      answer: () => void setTimeout(() => sendJson(exchange.response, 200, { answered: true }), 50),
    };
  },
  onFailure: (error) => console.error(error),
};
let server: RunningServer;
afterEach(() => server.close());

// On a busy machine a sender may be held up for longer than two seconds.
const patient: LingerLimits = { quietMilliseconds: 60_000, milliseconds: 120_000 };

async function start(linger: LingerLimits = patient): Promise<void> {
  server = await startServer({ service, receiver, linger });
}

const key = { authorization: 'Bearer some-key', model: 's2-pro' };
const json = { ...key, 'content-type': 'application/json' };
const body = Buffer.alloc(20_000_000, 'a');

const early: readonly [status: number, path: string, headers: Record<string, string>][] = [
  [401, '/v1/tts', { 'content-type': 'application/json' }],
  [404, '/v1/nothing', json],
  [415, '/v1/tts', { ...key, 'content-type': 'text/plain' }],
];

/** Writes everything, and reads nothing yet. */
async function write(
  path: string,
  headers: Record<string, string>,
  sent: string | Buffer,
  length = sent.length,
): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1').pause();
  const lines = Object.entries({ host: '127.0.0.1', ...headers, 'content-length': String(length) });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
  await new Promise((written, failed) => socket.on('error', failed).write(sent, written));
  return socket;
}

/** Writes everything before it reads anything. */
async function writeFirst(path: string, headers: Record<string, string>, length?: number): Promise<string> {
  const socket = await write(path, headers, body, length);
  let answer = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    answer += chunk;
    if (answer.includes('}')) break;
  }
  return answer;
}

test.each(early)(
  '%i reaches a sender that writes 20 MB first and reads later',
  async (status, path, headers) => {
    await start();
    expect(await writeFirst(path, headers)).toContain(`HTTP/1.1 ${status}`);
  },
);

test('413 reaches a sender that writes first and never completes its request', async () => {
  await start();
  expect(await writeFirst('/v1/tts', json, 100_000_000)).toContain('HTTP/1.1 413');
});

test.each(early)('%i reaches a sender that reads while it writes', async (status, path, headers) => {
  await start();
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  expect(answer.status).toBe(status);
  await answer.arrayBuffer();
});

test('a large request is not judged to its end when its sender has left', async () => {
  await start();
  const references = [{ audio: 'AAAA', text: '"'.repeat(5_000_000) }];
  const large = JSON.stringify({ text: 'a', references });
  received = 0;
  // As many as are judged at a time: what comes after them waits for one of them to end.
  for (let count = 0; count < 2; count += 1) {
    const socket = await write('/v1/tts', json, large);
    await expect.poll(() => latest?.complete).toBe(true);
    socket.destroy();
  }
  const other = await fetch(`${server.url}/v1/tts`, { method: 'POST', headers: json, body: large });
  expect([other.status, received]).toEqual([200, 1]);
});

test('a sender that continues beyond the limits is cut', async () => {
  await start({ ...patient, bytes: 1_000_000 });
  const socket = connect(server.port, '127.0.0.1').resume();
  socket.on('error', () => {});
  socket.write('POST /v1/nothing HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 99999999999\r\n\r\n');
  const more = setInterval(() => socket.write(body.subarray(0, 100_000)), 10);
  await once(socket, 'close');
  clearInterval(more);
});

test('what is owed to earlier requests comes before the answer to garbage', async () => {
  await start();
  const socket = connect(server.port, '127.0.0.1');
  const get = `GET /model HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${key.authorization}\r\n\r\n`;
  socket.write(`${get}${get}no HTTP at all\r\n\r\n`);
  let answers = '';
  for await (const chunk of socket.setEncoding('latin1')) answers += chunk;
  expect([...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '200',
    '200',
    '400',
  ]);
});

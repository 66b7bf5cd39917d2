import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { emptyAnswer, jsonAnswer } from './answer.ts';
import { CallLog } from './call-log.ts';
import { readBody } from './decode.ts';
import { createLiveReceiver } from './live/messages.ts';
import { createReceiver } from './receive.ts';
import { type RunningServer, startServer } from './serve.ts';

const receiver = createReceiver();
const key = { authorization: 'Bearer some-key', model: 's2-pro' };
const json = { ...key, 'content-type': 'application/json' };
const body = Buffer.alloc(20_000_000, 'a');

async function start(): Promise<RunningServer> {
  const server = await startServer({
    receiver,
    live: { receiver: createLiveReceiver(), idleSeconds: 30 },
    service: {
      name: 'server under test',
      log: new CallLog(),
      exampleKey: 'any-key',
      async answerOwnPage({ path, request }) {
        if (path !== '/upload') return undefined;
        await readBody(request, 1_000_000);
        return emptyAnswer();
      },
      visit: () => ({ checks: {}, answer: () => jsonAnswer(200, {}) }),
      onFailure: (error) => console.error(error),
    },
  });
  onTestFinished(() => server.close());
  return server;
}

/** Writes the whole request before reading the answer. */
async function writeFirst(port: number, path: string, headers: Record<string, string>): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause();
  const lines = Object.entries({ host: '127.0.0.1', ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
  const sent =
    headers['transfer-encoding'] === undefined
      ? body
      : Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  await new Promise((written, failed) => socket.on('error', failed).write(sent, written));
  let answer = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    answer += chunk;
    if (/[}\]]$/.test(answer)) break;
  }
  return answer;
}

const length = { 'content-length': String(body.length) };

test.each([
  [401, '/v1/tts', { 'content-type': 'application/json' }],
  [404, '/v1/nothing', json],
  [415, '/v1/tts', { ...key, 'content-type': 'text/plain' }],
  [422, '/v1/tts', json],
])('%i reaches a sender that writes 20 MB before it reads', async (status, path, headers) => {
  const { port } = await start();
  const answer = await writeFirst(port, path, { ...headers, ...length });
  expect(answer).toContain(`HTTP/1.1 ${status}`);
});

test('a refusal in the middle of a body reaches a sender that writes 20 MB before it reads', async () => {
  const { port } = await start();
  const answer = await writeFirst(port, '/upload', { 'transfer-encoding': 'chunked' });
  expect(answer).toContain('HTTP/1.1 413');
});

test('a connection answers its next request after a refusal', async () => {
  const { port } = await start();
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  const get = `GET /model HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${key.authorization}\r\n\r\n`;
  socket.write(`POST /v1/nothing HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 3\r\n\r\nabc${get}`);
  let answers = '';
  for await (const chunk of socket) {
    answers += chunk;
    if (answers.split('HTTP/1.1').length > 2) break;
  }
  expect(answers).toMatch(/^HTTP\/1.1 404.*HTTP\/1.1 200/s);
});

test('reads the body of a call that offers HTTP/2', async () => {
  const { port } = await start();
  const headers = { ...json, connection: 'upgrade', upgrade: 'h2c' };
  const call = request({ port, method: 'POST', path: '/v1/tts', headers }).end('{"text":"Hello."}');
  const [answer] = await once(call, 'response');
  expect(answer.resume().statusCode).toBe(200);
});

test('closes a connection whose caller says so, also where an upgrade is required', async () => {
  const { port } = await start();
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(
    `GET /v1/tts/live HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${key.authorization}\r\nmodel: s2-pro\r\nconnection: close\r\n\r\n`,
  );
  const answer = (await socket.toArray()).join('');
  expect(answer).toMatch(/^HTTP\/1.1 426 .*connection: upgrade, close\r\n/s);
});

const upgrade =
  'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==';

test.each([
  ['two Host headers that differ', '/model', 'host: evil.example', 403],
  ['a list of subprotocols with a gap', '/v1/tts/live', `${upgrade}\r\nsec-websocket-protocol: a,,b`, 400],
])('refuses %s in JSON, under a trace id', async (_what, path, headers, status) => {
  const { port } = await start();
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${key.authorization}\r\nmodel: s2-pro\r\n${headers}\r\n\r\n`,
  );
  const [answer] = await once(socket, 'data');
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*x-trace-id: [0-9a-f]{32}`, 's'));
  expect(JSON.parse(answer.split('\r\n\r\n')[1])).toEqual({ status, message: expect.any(String) });
});

test.each([
  ['a header that is too large', `GET /model HTTP/1.1\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
  ['bytes that are not HTTP', 'Good morning.\r\n\r\n', 400],
])('answers %s with a general error, although no request came of it', async (_what, bytes, status) => {
  const { port } = await start();
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => {}).write(bytes);
  const [answer] = await once(socket, 'data');
  const [head, general] = answer.split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(JSON.parse(general)).toEqual({ status, message: expect.any(String) });
});

test('a caller that waits with its body is refused without being asked for it', async () => {
  const { port } = await start();
  const head = ['POST /v1/tts HTTP/1.1', 'host: 127.0.0.1', 'content-length: 9', 'expect: 100-continue'];
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  onTestFinished(() => void socket.destroy());
  expect((await once(socket, 'data'))[0]).toMatch(/^HTTP\/1.1 401 /);
});

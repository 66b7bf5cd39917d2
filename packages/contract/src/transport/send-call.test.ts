import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serve } from '../testing/serve.ts';
import { sendCall } from './send-call.ts';

const limits = { idleMs: 30_000, totalMs: 30_000 };

const get = (url: string) => ({ method: 'GET', url, headers: {} });

test('notes down status, headers, the body and that it ended well', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, ['X-Twice', 'a', 'x-twice', 'b']);
    response.end('whole');
  });
  const { response, failure } = await sendCall(get(url), limits);
  expect(failure).toBeUndefined();
  expect(response).toMatchObject({ status: 200, ended: 'complete', headers: { 'x-twice': 'a, b' } });
  expect(Buffer.from(response.body).toString()).toBe('whole');
});

test('a body that breaks off is cut, and what came of it is kept', async () => {
  const url = await serve((_request, response) => {
    response.write('half', () => response.destroy());
  });
  const { response } = await sendCall(get(url), limits);
  expect(response.ended).toBe('cut');
  expect(Buffer.from(response.body).toString()).toBe('half');
});

test('a body in chunks that Node refuses is cut, and says why', async () => {
  const url = await serve((request) => {
    request.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 ;a=b\r\n{}\r\n0\r\n\r\n');
  });
  const { response } = await sendCall(get(url), limits);
  expect(response).toMatchObject({
    status: 200,
    ended: 'cut',
    failure: expect.stringMatching(/chunk.*HPE_/),
  });
});

test('sends nothing more on a connection that it has asked to close', async () => {
  const sockets = new Set<Socket>();
  const url = await serve(({ socket, headers }, response) => {
    expect(headers.connection).toBe('close');
    sockets.add(socket);
    response.setHeader('connection', 'keep-alive').end();
  });
  for (let calls = 1; calls <= 3; calls += 1) {
    await sendCall(get(url), limits);
    expect(sockets.size).toBe(calls);
  }
});

test('a POST that gets no answer is sent once', async () => {
  let calls = 0;
  const url = await serve((request) => {
    calls += 1;
    request.socket.destroy();
  });
  const { response, failure } = await sendCall(
    { method: 'POST', url, headers: {}, body: new Uint8Array(3) },
    limits,
  );
  expect(response).toMatchObject({ status: 0, ended: 'cut' });
  expect(failure).toMatchObject({ code: 'ECONNRESET' });
  expect(calls).toBe(1);
});

test('an answer that stops coming ends at the deadline', async () => {
  const url = await serve((_request, response) => {
    response.write('begun');
  });
  // This is long enough for a busy machine to deliver the beginning.
  const { response } = await sendCall(get(url), { ...limits, idleMs: 2000 });
  expect(response).toMatchObject({ status: 200, ended: 'deadline' });
});

test('an answer that never begins has no status', async () => {
  const url = await serve(() => {});
  const { response, failure } = await sendCall(get(url), { ...limits, idleMs: 300 });
  expect(response).toMatchObject({ status: 0, ended: 'deadline' });
  expect(failure?.message).toMatch(/in time/);
});

test('a body that was compressed unasked is decompressed', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('whole'));
  });
  const { response } = await sendCall(get(url), limits);
  expect(Buffer.from(response.body).toString()).toBe('whole');
});

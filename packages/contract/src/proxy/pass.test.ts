import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { addressOfNobody, listenTo, serve } from '../testing/serve.ts';
import { pathBelow } from './pass.ts';
import { between, call, open } from './testing/between.ts';

const everyByte = Buffer.from(Array.from({ length: 100_003 }, (_, index) => (index * 7) % 256));

describe('a call', () => {
  test('has the same bytes on both sides, whatever they are called', async () => {
    const bodies: readonly (readonly [string, Buffer])[] = [
      ['application/json', Buffer.from('{"text":"Gr\u00fc\u00dfe, \u{1f44b}","a":1.0,"a":2}')],
      ['application/msgpack', everyByte],
      ['text/event-stream', Buffer.from('\ufeffdata: {"a":"\u00e9"}\r\n\r\ndata: \n\n')],
      ['application/json', Buffer.alloc(0)],
    ];
    const seen: { bytes: Buffer; headers: readonly string[] }[] = [];
    const upstream = await serve(async (incoming, outgoing) => {
      const bytes = await buffer(incoming);
      seen.push({ bytes, headers: incoming.rawHeaders });
      outgoing.writeHead(200, { 'Content-Type': incoming.headers['content-type'] ?? '' }).end(bytes);
    });
    const proxy = await between(upstream);
    for (const [type, bytes] of bodies) {
      const headers = { 'Content-Type': type, 'X-Mixed-Case': 'kept' };
      const answer = await call(`${proxy.url}/v1/tts`, { method: 'POST', headers, body: bytes });
      expect(seen.at(-1)?.bytes.equals(bytes)).toBe(true);
      expect(seen.at(-1)?.headers).toEqual(expect.arrayContaining(['X-Mixed-Case', 'Content-Type', type]));
      expect(answer.body.equals(bytes)).toBe(true);
      expect(answer.rawHeaders).toEqual(expect.arrayContaining(['Content-Type', type]));
    }
  });

  test('keeps its status, its reason, its headers with their case, order and repetition, and its trailers', async () => {
    const headers = ['X-One', 'a', 'Set-Cookie', 'b=1', 'x-one', 'c', 'Trailer', 'X-Sum', 'Date', 'never'];
    const asked: IncomingMessage[] = [];
    const upstream = await serve(async (incoming, outgoing) => {
      await buffer(incoming);
      asked.push(incoming);
      outgoing.writeHead(418, 'Short and st\u00f6ut', headers);
      outgoing.write(Buffer.from('tea'));
      outgoing.addTrailers({ 'X-Sum': '3' });
      outgoing.end();
    });
    const proxy = await between(upstream);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request(`${proxy.url}/path/%2F?query=%20&x`, {
        method: 'PUT',
        headers: { trailer: 'x-mark', te: 'trailers' },
      });
      outgoing.on('response', resolve).on('error', reject);
      outgoing.write('a');
      outgoing.addTrailers({ 'X-Mark': '1' });
      outgoing.end();
    });
    expect((await buffer(answer)).toString()).toBe('tea');
    expect([answer.statusCode, answer.statusMessage]).toEqual([418, 'Short and st\u00f6ut']);
    expect(answer.rawHeaders.slice(0, headers.length)).toEqual(headers);
    expect(answer.rawTrailers).toEqual(['X-Sum', '3']);
    expect([asked[0]?.url, asked[0]?.method]).toEqual(['/path/%2F?query=%20&x', 'PUT']);
    expect(asked[0]?.rawTrailers).toEqual(['X-Mark', '1']);
    expect(asked[0]?.headers.host).toBe(new URL(upstream).host);
  });

  test.each([
    ['HEAD', 200, ['Content-Length', '5000']],
    ['GET', 204, []],
    ['GET', 304, ['ETag', '"a"']],
  ] as const)('without a body has none: %s %s', async (method, status, headers) => {
    const upstream = await serve((_incoming, outgoing) => outgoing.writeHead(status, [...headers]).end());
    const proxy = await between(upstream);
    const answer = await call(`${proxy.url}/other`, { method });
    expect([answer.status, answer.body.length]).toEqual([status, 0]);
    expect(answer.rawHeaders).toEqual(expect.arrayContaining([...headers]));
    expect(answer.rawHeaders.map((each) => each.toLowerCase())).not.toContain('transfer-encoding');
  });

  /** The beginning of what is answered to a request in exactly these words. */
  async function firstLine(proxy: { readonly url: string }, ...lines: readonly string[]): Promise<string> {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [bytes] = await once(socket, 'data');
    socket.destroy();
    return String(bytes).split('\r\n', 1)[0] ?? '';
  }

  test.each([
    ['/refused', '100-continue', 'HTTP/1.1 413 Payload Too Large'],
    ['/wanted', '100-continue', 'HTTP/1.1 100 Continue'],
    ['/other', 'a-miracle', 'HTTP/1.1 202 Accepted'],
  ])('asks the server what it thinks of an expectation: %s', async (path, expected, answered) => {
    const upstream = createServer();
    upstream.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      if (incoming.url === '/refused') outgoing.writeHead(413).end();
      else outgoing.writeContinue();
    });
    upstream.on('checkExpectation', (_, outgoing: ServerResponse) => outgoing.writeHead(202).end());
    const proxy = await between(await listenTo(upstream));
    const head = ['Host: x', `Expect: ${expected}`, 'Content-Length: 4'];
    expect(await firstLine(proxy, `POST ${path} HTTP/1.1`, ...head)).toBe(answered);
  });

  test('has no body announced where none was sent, and goes to the server alone', async () => {
    const seen: unknown[] = [];
    const upstream = await serve(({ url, headers }, outgoing) => {
      seen.push([url, headers.host, headers['transfer-encoding'], headers['content-length']]);
      outgoing.end();
    });
    const proxy = await between(`${upstream}/base/`);
    await firstLine(proxy, 'POST http://127.0.0.1:1/model HTTP/1.1', 'Host: 127.0.0.1:1');
    expect(seen).toEqual([['/base/model', new URL(upstream).host, undefined, '0']]);
    const base = new URL('http://server/base');
    const targets = ['/a?b', 'http://x', 'http://x?y', '*'];
    const paths = ['/base/a?b', '/base/', '/base/?y', '*'];
    expect(targets.map((target) => pathBelow(base, target))).toEqual(paths);
  });

  test('about the whole server reaches it, and is none of the API', async () => {
    const proxy = await between(await serve(({ url }, outgoing) => outgoing.writeHead(200, url).end()));
    expect(await firstLine(proxy, 'OPTIONS * HTTP/1.1', 'Host: x')).toBe('HTTP/1.1 200 *');
    expect((await proxy.close()).proxy.others).toEqual({ 'OPTIONS *': 1 });
  });

  test('does not say that hop headers are of the server', async () => {
    const upstream = await serve((incoming, outgoing) => {
      outgoing.setHeader('X-Seen', Object.keys(incoming.headers).join(' '));
      outgoing.setHeader('Connection', 'close, X-Hop');
      outgoing.setHeader('X-Hop', '1');
      outgoing.end();
    });
    const { rawHeaders } = await call(`${(await between(upstream)).url}/other`, {
      headers: { connection: 'keep-alive, x-mine', 'x-mine': '1', 'keep-alive': 'timeout=1' },
    });
    expect(rawHeaders[rawHeaders.indexOf('X-Seen') + 1]).toBe('authorization host connection');
    expect(rawHeaders).not.toContain('X-Hop');
  });
});

describe('pieces', () => {
  test('of an answer pass before the next one is written', async () => {
    let goOn = () => {};
    const upstream = await serve((_incoming, outgoing) => {
      outgoing.write('first');
      goOn = () => outgoing.end('second');
    });
    const answer = await open(`${(await between(upstream)).url}/other`);
    const pieces = answer[Symbol.asyncIterator]();
    expect(String((await pieces.next()).value)).toBe('first');
    goOn();
    expect(String((await pieces.next()).value)).toBe('second');
  });

  test('of a request pass before the next one is written, and the answer may come first', async () => {
    const upstream = await serve((incoming, outgoing) => {
      incoming.once('data', (bytes) => outgoing.write(`have ${bytes}`));
      incoming.once('end', () => outgoing.end());
    });
    const proxy = await between(upstream);
    const outgoing = request(`${proxy.url}/other`, { method: 'POST' });
    const answered = new Promise<IncomingMessage>((resolve) => outgoing.on('response', resolve));
    outgoing.write('first');
    const pieces = (await answered)[Symbol.asyncIterator]();
    expect(String((await pieces.next()).value)).toBe('have first');
    outgoing.end();
    expect((await pieces.next()).done).toBe(true);
  });

  test('are cut where the server breaks off, after all that came', async () => {
    const upstream = await serve((_incoming, outgoing) => {
      outgoing.write(everyByte, () => outgoing.destroy());
    });
    const answer = await open(`${(await between(upstream)).url}/other`, { method: 'POST' });
    const bytes: Buffer[] = [];
    answer.on('data', (piece: Buffer) => bytes.push(piece));
    await expect(once(answer, 'end')).rejects.toThrow('aborted');
    expect(Buffer.concat(bytes).equals(everyByte)).toBe(true);
  });

  test.each(['in the answer', 'before it', 'in the request'] as const)(
    'end at the server as soon as the client leaves: %s',
    async (where) => {
      const [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const upstream = await serve((incoming, outgoing) => {
        outgoing.on('close', () => left.resolve());
        if (where === 'in the answer') outgoing.write('some');
        if (where === 'before it') arrived.resolve();
        incoming.on('data', () => arrived.resolve());
      });
      const asked = request(`${(await between(upstream)).url}/other`, { method: 'POST' });
      asked.on('error', () => {}).on('response', () => arrived.resolve());
      if (where === 'in the request') asked.write('some');
      else asked.end();
      await arrived.promise;
      asked.destroy();
      await left.promise;
    },
  );
});

describe('a side that reads slowly slows the other one down', () => {
  const all = 192 * 1024 * 1024;
  const most = 48 * 1024 * 1024;
  const piece = Buffer.alloc(256 * 1024, 7);

  /** Writes until all is written, as fast as the other side lets it. */
  function fill(sink: ServerResponse | ReturnType<typeof request>, written: { bytes: number }): void {
    while (written.bytes < all) {
      written.bytes += piece.length;
      if (!sink.write(piece)) {
        sink.once('drain', () => fill(sink, written));
        return;
      }
    }
    sink.end();
  }

  test.each(['an answer', 'a request'] as const)('%s', async (which) => {
    const written = { bytes: 0 };
    let read = 0;
    const count = (stream: IncomingMessage) =>
      stream.on('data', (bytes: Buffer) => {
        read += bytes.length;
      });
    let goOn = () => {};
    const upstream = await serve((incoming, outgoing) => {
      if (which === 'an answer') fill(outgoing, written);
      else goOn = () => count(incoming).on('end', () => outgoing.end());
    });
    const proxy = await between(upstream, { limits: { bodyBytes: 1_000_000 } });
    const outgoing = request(`${proxy.url}/v1/tts`, { method: 'POST' });
    const answered = once(outgoing, 'response');
    if (which === 'a request') fill(outgoing, written);
    else outgoing.end();
    // Once nothing moves any more.
    const moments: number[] = [];
    await expect
      .poll(() => moments.push(written.bytes) > 5 && new Set([0, ...moments.slice(-5)]).size === 2)
      .toBe(true);
    expect(written.bytes).toBeLessThan(most);
    goOn();
    const [answer] = await answered;
    await once(count(answer), 'end');
    expect(read).toBe(all);
  });
});

/** The refusal of a socket, with its body. */
async function refusalOf(url: string, authorization = 'Bearer wrong'): Promise<[IncomingMessage, string]> {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers: { authorization } });
  const [, answer] = await once(socket, 'unexpected-response');
  const body = (await buffer(answer)).toString();
  socket.on('error', () => {});
  socket.terminate();
  return [answer, body];
}

describe('a socket', () => {
  async function echo(compressed = false) {
    const sockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: compressed && { threshold: 0 },
    });
    const closes: string[] = [];
    const upstream = await serve(
      (_incoming, outgoing) => outgoing.writeHead(426, { Upgrade: 'websocket' }).end('only sockets'),
      (incoming, socket, head) => {
        if (incoming.headers.authorization === 'Bearer wrong') {
          const body = '{"status":401,"message":"No."}';
          socket.end(
            `HTTP/1.1 401 Go away\r\nX-Why: key\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
          );
          return;
        }
        sockets.handleUpgrade(incoming, socket, head, (peer) => {
          peer.on('message', (data, isBinary) => peer.send(data, { binary: isBinary }));
          peer.on('close', (code, reason) => closes.push(`${code} ${reason}`));
          if (incoming.url === '/leave') peer.terminate();
        });
      },
    );
    return { closes, proxy: await between(upstream) };
  }

  const address = (url: string, path = '/v1/tts/live') => url.replace('http', 'ws') + path;

  test.each([false, true])('passes both ways, bytes, text and close (compressed: %s)', async (compressed) => {
    const { proxy, closes } = await echo(compressed);
    const socket = new WebSocket(address(proxy.url), { perMessageDeflate: compressed && { threshold: 0 } });
    const received: unknown[] = [];
    const done = new Promise((resolve) => socket.on('close', (code, reason) => resolve(`${code} ${reason}`)));
    socket.on('open', () => {
      socket.send(everyByte);
      socket.send('words');
      socket.ping('a');
    });
    const pong = new Promise<string>((resolve) => socket.on('pong', (data) => resolve(String(data))));
    socket.on('message', (data: Buffer, isBinary) => {
      received.push(isBinary ? data.equals(everyByte) : data.toString());
      if (received.length === 2) socket.close(4001, 'enough');
    });
    expect(await done).toBe('4001 enough');
    expect(await pong).toBe('a');
    expect(received).toEqual([true, 'words']);
    expect(socket.extensions).toBe(compressed ? 'permessage-deflate' : '');
    await expect.poll(() => closes).toEqual(['4001 enough']);
  });

  test('that is refused shows the refusal, and one that is open ends when either side breaks off', async () => {
    const { proxy, closes } = await echo();
    const [refusal, body] = await refusalOf(`${proxy.url}/v1/tts/live`);
    expect([refusal.statusCode, refusal.statusMessage, refusal.headers['x-why']]).toEqual([
      401,
      'Go away',
      'key',
    ]);
    expect(body).toBe('{"status":401,"message":"No."}');
    const leaves = new WebSocket(address(proxy.url));
    await new Promise((resolve) => leaves.on('open', resolve));
    leaves.terminate();
    await expect.poll(() => closes).toEqual(['1006 ']);
    const left = new WebSocket(address(proxy.url, '/leave'));
    expect(await new Promise((resolve) => left.on('close', resolve))).toBe(1006);
  });
});

test('a server that is not there is said in words, to a call and to a socket', async () => {
  const proxy = await between(await addressOfNobody());
  const answer = await call(`${proxy.url}/v1/tts`, { method: 'POST', body: everyByte });
  const [refusal, body] = await refusalOf(`${proxy.url}/v1/tts/live`);
  expect([answer.status, refusal.statusCode]).toEqual([502, 502]);
  for (const each of [String(answer.body), body])
    expect(JSON.parse(each)).toEqual({ status: 502, message: expect.stringContaining('was refused. Start') });
});

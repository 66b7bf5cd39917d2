import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { encode } from '@msgpack/msgpack';
import {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ProtocolError,
  TooManyRequestsError,
} from '@speech-api/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { throughRelay } from './options.ts';
import {
  after,
  answer,
  collect,
  deadlinePasses,
  failureOf,
  openers,
  speaks,
  startScript,
} from './testing/scripted-server.ts';

const [[, connectTo, connectLive], [, , connectBuiltIn]] = openers;

describe.each(openers)('with %s', (_, connectTo, connect) => {
  test('a frame of 10 MB comes whole, and one beyond the limit is an error', async () => {
    const { connection } = await connectTo(speaks(1_000_000));
    expect(await collect(connection.speak('Ten bytes.'))).toHaveLength(10_000_000);
    const error = await failureOf(collect(connection.speak('Seventeen bytes.x')));
    expect(error).toBeInstanceOf(PayloadTooLargeError);
    expect((error as Error).message).toContain('larger than 16777216 bytes');
  });

  test('a fast writer waits for a server that does not read, and meets the idle deadline', async () => {
    const { connection } = await connectTo(
      { onPeer: ({ socket }) => socket.pause() },
      {},
      { timeouts: { idle: 200 } },
    );
    const speech = connection.speak();
    const text = 'word '.repeat(20_000);
    const writing = (async () => {
      for (let count = 0; count < 1000; count += 1) await speech.write(text);
    })();
    expect(await failureOf(writing)).toMatchObject({ phase: 'idle' });
    // The server had 100 MB to send; this is far less.
    expect(speech.metrics.characters).toBeLessThan(50_000_000);
  });

  test('a refused connection or an unencrypted address is reported before anything is sent', async () => {
    const { url, source } = await startScript({ refuse: (_request, socket) => socket.destroy() });
    expect(await failureOf(connect(source))).toBeInstanceOf(ConnectionError);
    const settings = { ...source.settings, webSocketUrl: 'ws://api.example.com' };
    const error = await failureOf(connect({ settings }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain('wss://');
    for (const [whole, words] of [
      [
        { settings: { ...source.settings, webSocketUrl: `${url}/v1/tts/live` } },
        /^webSocketUrl \(SPEECH_WEBSOCKET_URL\) must/,
      ],
      [throughRelay({ url: `${url}/v1/tts/live/` }), /^url must not end with \/v1\/tts\/live/],
    ] as const) {
      expect(await failureOf(connect(whole))).toMatchObject({ code: 'configuration', message: words });
    }
    expect(await failureOf(connect({ settings: { webSocketUrl: url } }))).toMatchObject({
      message: expect.stringMatching(/no API key/),
    });
  });
});

test('ws: a close that the server never answers still ends the connection', async () => {
  const { connection, connections } = await connectTo({
    refuse: ({ headers }, socket) => {
      const accept = createHash('sha1')
        .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest('base64');
      const head = 'HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: Upgrade\r\n';
      socket.write(`${head}sec-websocket-accept: ${accept}\r\n\r\n`);
      socket.once('end', () => socket.end()).resume();
    },
  });
  connection.close();
  await expect.poll(connections).toBe(0);
});

/** Runs a program that imports this package. */
function run(program: string, env: NodeJS.ProcessEnv = {}) {
  const code = `import { connectLive } from './src/node.ts';\n${program}`;
  const child = execFile(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('ws: a socket goes through the agent of the caller, or the proxy of the environment, as Node does', async () => {
  const { source, url } = await startScript(speaks(1));
  const agent = Object.assign(new Agent(), {
    createConnection: () => createConnection(Number(new URL(url).port), '127.0.0.1'),
  });
  const settings = { ...source.settings, webSocketUrl: 'ws://elsewhere.localhost:1' };
  const connection = await connectLive({ settings }, {}, { agent });
  expect(await collect(connection.speak('Hello.'))).toHaveLength(6);
  connection.close();

  const proxy = createServer().listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const child = run(
    `const settings = { webSocketUrl: 'wss://speech.test', authorization: async () => 'Bearer any' };
    await connectLive({ settings }).catch(() => {});`,
    { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: `http://127.0.0.1:${port}` },
  );
  const [request, socket] = await once(proxy, 'connect');
  socket.on('error', () => {});
  expect(request.url).toBe('speech.test:443');
  answer(socket, 403, '');
  await once(child, 'close');
});

test('ws: what had arrived when a process was stopped is heard when it continues, behind its deadlines', async () => {
  const { url } = await startScript(
    after('stop', async (peer) => {
      child.kill('SIGSTOP');
      peer.audio(6);
      peer.finish();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      child.kill('SIGCONT');
    }),
  );
  const child = run(`
    const settings = { webSocketUrl: '${url}', authorization: async () => 'Bearer any' };
    const connection = await connectLive({ settings }, {}, { timeouts: { idle: 300, total: 400 } });
    let bytes = 0;
    for await (const audio of connection.speak('Hello.')) bytes += audio.length;
    console.log(bytes);
    connection.close();`);
  const [[printed]] = await Promise.all([once(child.stdout as Readable, 'data'), once(child, 'close')]);
  expect(String(printed)).toBe('6\n');
});

test('both entries of the package export the same names', async () => {
  const [web, node] = await Promise.all([import('./index.ts'), import('./node.ts')]);
  expect(Object.keys(node).sort()).toEqual(Object.keys(web).sort());
});

test.each([
  [401, '{"status":401,"message":"no such key: test-key"}', AuthenticationError, /no such key/],
  [403, '<html><head>x</head><h1>Forbidden</h1></html>', PermissionDeniedError, /Forbidden$/],
  [429, '{"status":429,"message":"wait"}', TooManyRequestsError, /wait/],
  [302, '', ProtocolError, /redirect/],
  [200, 'hello', ProtocolError, /101/],
])(
  'ws: an upgrade refused with %d gives its error with the body',
  async (status, body, ErrorClass, words) => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = [`x-trace-id: ${traceId}`, 'retry-after: 3', 'location: ws://127.0.0.1:1/'];
    const { source } = await startScript({
      refuse: (_request, socket) => answer(socket, status, body, headers),
    });
    const error = await failureOf(connectLive(source));
    expect(error).toBeInstanceOf(ErrorClass);
    expect((error as Error).message).toMatch(words);
    expect((error as Error).message).not.toContain('test-key');
    if (ApiError.isInstance(error)) expect(error).toMatchObject({ status, retryAfterSeconds: 3, traceId });
  },
);

test('the global WebSocket: an error says that the runtime hides the refusal', async () => {
  const { source } = await startScript({ refuse: (_request, socket) => answer(socket, 401, '') });
  const error = await failureOf(connectBuiltIn(source));
  expect(error).toBeInstanceOf(ConnectionError);
  expect((error as Error).message).toContain('does not show which');
});

test('ws: where no server listens, the error names its address and not the rest of it', async () => {
  const { source } = await startScript({});
  const settings = { ...source.settings, webSocketUrl: 'ws://127.0.0.1:2/a-path' };
  const error = await failureOf(connectLive({ settings }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect((error as Error).message).toContain('connect to ws://127.0.0.1:2 (ECONNREFUSED); check the address');
});

test('ws: a slow reader stops the server and meets no deadline, and still gets everything', async () => {
  const total = 500;
  const { connection, peers } = await connectTo(
    after('stop', async (peer) => {
      const frame = encode({ event: 'audio', audio: new Uint8Array(65_536) });
      for (let sent = 0; sent < total; sent += 1) peer.socket.send(frame);
      peer.finish();
    }),
    {},
    { timeouts: { idle: 1000 } },
  );
  const speech = connection.speak('Much.');
  await expect.poll(() => speech.metrics.bytes).toBeGreaterThan(1_000_000);
  await deadlinePasses(1000);
  expect(speech.metrics.bytes).toBeLessThan(4_000_000);
  expect(peers[0]?.socket.bufferedAmount).toBeGreaterThan(10_000_000);
  let bytes = 0;
  for await (const chunk of speech) bytes += chunk.length;
  expect(bytes).toBe(total * 65_536);
});

test.each<[number, string, (socket: Duplex) => void]>([
  [429, 'breaks off its body', (socket) => socket.end('HTTP/1.1 429 X\r\ncontent-length: 99\r\n\r\nto')],
  [403, 'never ends its body', (socket) => socket.write('HTTP/1.1 403 X\r\ncontent-length: 99\r\n\r\nto')],
])('an upgrade refused with %i by a server that %s keeps its status', async (status, _how, refuse) => {
  const { source } = await startScript({ refuse: (_request, socket) => void refuse(socket) });
  const error = await failureOf(connectLive(source, {}, { timeouts: { headers: 2000 } }));
  expect(error).toMatchObject({ status, message: expect.stringContaining('to') });
});

test('workerd: the body of a refused upgrade is read up to a limit', async () => {
  let sent = 0;
  const cancel = vi.fn();
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    sent += 16_384;
    controller.enqueue(new Uint8Array(16_384).fill(120));
    if (sent > 50_000_000) controller.close();
  };
  const body = new ReadableStream<Uint8Array>({ pull, cancel });
  vi.stubGlobal('WebSocketPair', class {});
  vi.stubGlobal('fetch', async () => new Response(body, { status: 403 }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { source } = await startScript({});
  expect(await failureOf(connectBuiltIn(source))).toBeInstanceOf(PermissionDeniedError);
  expect(sent).toBeLessThan(200_000);
  expect(cancel).toHaveBeenCalled();
});

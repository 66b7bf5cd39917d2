import { encode } from '@msgpack/msgpack';
import {
  AbortError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  createTrace,
  InsufficientCreditError,
  InvalidRequestError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ProtocolError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
} from '@speech-api/client';
import { describe, expect, test } from 'vitest';
import { createConnectLive } from './connection.ts';
import { openNodeSocket } from './node-socket.ts';
import { throughRelay } from './options.ts';
import { answer, collect, failureOf, type Peer, speaks, startScript } from './testing/scripted-server.ts';
import { openWebSocket } from './web-socket.ts';

const openers = [
  ['ws', openNodeSocket],
  ['the global WebSocket', openWebSocket],
] as const;
const connectLive = createConnectLive(openNodeSocket);

describe.each(openers)('with %s', (_, openSocket) => {
  const connect = createConnectLive(openSocket);

  test('a text becomes start, text and stop, and the loop ends with the utterance', async () => {
    const { source, peers } = await startScript(speaks(10));
    const trace = createTrace();
    const connection = await connect(source, { format: 'mp3', latency: 'balanced' }, { model: 's1', trace });
    const speech = connection.speak('Hello there.');
    expect(await collect(speech)).toHaveLength(120);
    expect(peers[0]?.received).toEqual([
      { event: 'start', request: { format: 'mp3', latency: 'balanced', text: '' } },
      { event: 'text', text: 'Hello there.' },
      { event: 'stop' },
    ]);
    expect(peers[0]?.upgrade.url).toBe('/v1/tts/live');
    expect(peers[0]?.upgrade.headers).toMatchObject({ authorization: 'Bearer test-key', model: 's1' });
    expect(String(peers[0]?.upgrade.headers.traceparent)).toContain(trace.traceId);
    expect(speech.metrics).toMatchObject({ connectionReused: false, characters: 12, bytes: 120 });
    expect(speech.metrics.firstAudioMilliseconds).toBeGreaterThanOrEqual(0);
    connection.close();
    await peers[0]?.closed;
  });

  test('a connection serves one utterance after the other, each with its own audio', async () => {
    const { source, peers } = await startScript(speaks(1));
    const connection = await connect(source);
    for (const text of ['One.', 'And two.', 'The third one.']) {
      expect(await collect(connection.speak(text))).toHaveLength(text.length);
    }
    const last = connection.speak('x');
    expect(() => connection.speak('y')).toThrow(/one utterance at a time/);
    await collect(last);
    expect(last.metrics.connectionReused).toBe(true);
    expect(peers).toHaveLength(1);
    connection.close();
    expect(() => connection.speak('z')).toThrow(ConnectionError);
  });

  test('where the server closes after finish, the next utterance opens a socket', async () => {
    const { source, peers } = await startScript({
      onPeer: async (peer) => {
        await peer.until('stop');
        peer.audio(8);
        peer.finish();
        // No code, which is normal.
        peer.socket.close();
      },
    });
    const connection = await connect(source);
    for (const round of [1, 2]) {
      expect(await collect(connection.speak('Hello.'))).toHaveLength(8);
      await peers[round - 1]?.closed;
    }
    expect(peers).toHaveLength(2);
    connection.close();
  });

  test('writing by hand: many small writes are few messages, and flush and end keep their places', async () => {
    const { source, peers } = await startScript(speaks(1));
    const connection = await connect(source);
    const speech = connection.speak();
    for (let count = 0; count < 10_000; count += 1) void speech.write('ab👍 '.slice(count % 2, 5));
    speech.flush();
    await speech.write('half \ud83d');
    await peers[0]?.until('flush');
    await speech.write('\udc4d whole');
    speech.end();
    await collect(speech);
    const events = (peers[0] as Peer).received.map(({ event }) => event);
    expect(events.filter((event) => event === 'text').length).toBeLessThan(20);
    expect(events.at(-1)).toBe('stop');
    const texts = (peers[0] as Peer).received.map(({ text }) => String(text ?? '')).join('');
    expect(texts).toBe(`${'ab👍 b👍 '.repeat(5000)}half 👍 whole`);
    expect(speech.metrics.characters).toBe([...texts].length);
    expect(() => speech.write('more')).toThrow(/after end/);
    expect(() => connection.speak('x').write('y')).toThrow(/speak was given the text/);
    connection.close();
  });

  test('the text of a language model is flushed by clause and sentence', async () => {
    const { source, peers } = await startScript(speaks(1));
    const connection = await connect(source);
    async function* tokens(): AsyncGenerator<string> {
      yield* ['Well then, ', 'it is', ' late. Go', ' home. ', '...'];
    }
    await collect(connection.speak(tokens(), { firstClauseCharacters: 5 }));
    expect(peers[0]?.received.slice(1).map(({ event, text }) => text ?? event)).toEqual(
      // The rest has no words.
      ['Well then, ', 'flush', 'it is late. ', 'flush', 'Go home. ', 'flush', 'stop'],
    );
    connection.close();
  });

  test('no frame is lost, however late the reader comes, and unknown ones are ignored', async () => {
    const { source } = await startScript({
      onPeer: async (peer) => {
        await peer.until('stop');
        for (let index = 0; index < 500; index += 1) {
          peer.audio(Uint8Array.of(index >> 8, index & 255));
          if (index % 50 === 0) {
            peer.socket.send('a text frame');
            peer.send({ event: 'tomorrow', audio: 5 });
          }
        }
        // The same message, written in another way.
        peer.socket.send(encode({ audio: Uint8Array.of(1, 244), event: 'audio', more: [1] }));
        peer.finish();
      },
    });
    const connection = await connect(source);
    const speech = connection.speak('Late.');
    await expect.poll(() => speech.metrics.bytes).toBe(1002);
    const audio = await collect(speech);
    for (let index = 0; index <= 500; index += 1) expect(audio.readUInt16BE(index * 2)).toBe(index);
    expect(() => speech[Symbol.asyncIterator]()).toThrow(/read once/);
    connection.close();
  });

  test.each([1, 2, 3, 5])('pcm comes in whole samples when frames have %d bytes', async (size) => {
    const all = Uint8Array.from({ length: 60 }, (_unused, index) => index);
    const { source } = await startScript({
      onPeer: async (peer) => {
        await peer.until('stop');
        for (let from = 0; from < 60; from += size) peer.audio(all.slice(from, from + size));
        peer.finish();
      },
    });
    const connection = await connect(source, { format: 'pcm' });
    const joined: number[] = [];
    for await (const chunk of connection.speak('Samples.')) {
      expect(chunk.length % 2).toBe(0);
      joined.push(...chunk);
    }
    expect(joined).toEqual([...all]);
    connection.close();
  });

  test.each([
    [
      'finish with an error',
      (peer: Peer) => peer.send({ event: 'finish', reason: 'error', message: 'voice lost by test-key' }),
      ServerError,
      /voice lost/,
    ],
    [
      'an error',
      (peer: Peer) => peer.send({ event: 'error', error: 'bad rate for test-key' }),
      BadRequestError,
      /bad rate/,
    ],
    [
      'an error with a limit',
      (peer: Peer) => peer.send({ event: 'error', error: 'too many', max_concurrency: 5 }),
      TooManyRequestsError,
      /too many/,
    ],
    [
      'an error with a status of the relay',
      (peer: Peer) => peer.send({ event: 'error', error: 'no', status: 402 }),
      InsufficientCreditError,
      /402/,
    ],
    ['a close without a code', (peer: Peer) => peer.socket.close(), ConnectionError, /before finish.*1005/],
    ['a normal close', (peer: Peer) => peer.socket.close(1000), ConnectionError, /before finish/],
    ['a server that goes away', (peer: Peer) => peer.socket.close(1001, 'bye'), ConnectionError, /1001: bye/],
    ['a server that is gone', (peer: Peer) => peer.socket.terminate(), ConnectionError, /1006/],
    [
      'a refused frame',
      (peer: Peer) => peer.socket.close(1008, 'order of test-key'),
      BadRequestError,
      /order/,
    ],
    ['a fault', (peer: Peer) => peer.socket.close(1011), ServerError, /1011/],
    ['a frame too large', (peer: Peer) => peer.socket.close(1009), PayloadTooLargeError, /1009/],
    ['a code of the relay', (peer: Peer) => peer.socket.close(4429, 'wait'), TooManyRequestsError, /wait/],
    ['garbage', (peer: Peer) => peer.socket.send(Buffer.of(0xc1, 1, 2)), ProtocolError, /not MessagePack/],
    [
      'a claim of much',
      (peer: Peer) => peer.socket.send(Buffer.of(0xdd, 0xff, 0xff, 0xff, 0xff)),
      ProtocolError,
      /not MessagePack/,
    ],
    ['a list', (peer: Peer) => peer.socket.send(encode([1])), ProtocolError, /no field event/],
    [
      'audio without bytes',
      (peer: Peer) => peer.send({ event: 'audio', audio: 'abc' }),
      ProtocolError,
      /no bytes/,
    ],
    [
      'half a sample',
      (peer: Peer) => {
        peer.audio(1);
        peer.finish();
      },
      ProtocolError,
      /half a sample/,
    ],
  ] as const)(
    '%s ends the utterance with its error, behind the audio that came',
    async (name, act, ErrorClass, words) => {
      const { source } = await startScript({
        onPeer: async (peer) => {
          await peer.until('stop');
          peer.audio(6);
          act(peer);
        },
      });
      const connection = await connect(source, { format: 'pcm' });
      let bytes = 0;
      const reading = (async () => {
        for await (const chunk of connection.speak('Hello.')) bytes += chunk.length;
      })();
      const error = await failureOf(reading);
      expect(error, name).toBeInstanceOf(ErrorClass);
      expect((error as Error).message).toMatch(words);
      expect((error as Error).message).not.toContain('test-key');
      expect(bytes).toBe(6);
      connection.close();
    },
  );

  test('a finish without audio is an error, and so is an utterance without words', async () => {
    const { source } = await startScript(speaks(0));
    const connection = await connect(source);
    const empty = connection.speak();
    empty.end();
    expect(await failureOf(collect(empty))).toMatchObject({ name: 'RequestError', message: /no text/ });
    expect(await failureOf(collect(connection.speak('Words.')))).toMatchObject({ message: /without audio/ });
    connection.close();
  });

  test('what cannot be meant is refused by name before anything is sent', async () => {
    const { source } = await startScript(speaks(1));
    const wrong = (value: unknown) => value as never;
    const refusedAtOnce: readonly (readonly [Promise<unknown>, RegExp])[] = [
      [connect(wrong({ format: 'mp3' })), /first argument of connectLive is the client/],
      [connect(wrong(undefined)), /first argument of connectLive is the client/],
      [connect(source, wrong('mp3')), /second argument of connectLive/],
      [connect(source, wrong({ text: 'Hello.' })), /text is given to connection\.speak/],
      [connect(source, { format: wrong('flac') }), /format is "flac"; use one of wav/],
      [connect(source, {}, wrong({ timeout: 5 })), /unknown option timeout; known are signal/],
      [connect(source, {}, { timeouts: wrong({ idel: 5 }) }), /unknown option timeouts\.idel/],
      [connect(source, {}, { timeouts: { idle: Number.NaN } }), /timeouts\.idle must be a number above 0/],
      [connect(source, {}, { signal: wrong('stop') }), /signal must be an AbortSignal/],
    ];
    for (const [attempt, words] of refusedAtOnce)
      expect(await failureOf(attempt)).toMatchObject({ message: words });
    const connection = await connect(source);
    const cases: readonly (readonly [() => unknown, RegExp])[] = [
      [() => connection.speak(' '), /the text is empty/],
      [() => connection.speak(wrong(42)), /the text is number/],
      [() => connection.speak('Hello.', wrong({ ahead: 1 })), /unknown option ahead; known are/],
      [() => connection.speak('Hello.', { played: wrong(7) }), /played must be a function/],
    ];
    for (const [attempt, words] of cases) expect(attempt).toThrow(words);
    // The connection goes on.
    expect(await collect(connection.speak('Hello.'))).not.toHaveLength(0);
    connection.close();
  });

  test('an unrequested finish is an error', async () => {
    const { source } = await startScript({
      onPeer: async (peer) => {
        await peer.until('text');
        peer.finish();
      },
    });
    const connection = await connect(source);
    const speech = connection.speak();
    await speech.write('Hello.');
    expect(await failureOf(collect(speech))).toBeInstanceOf(ProtocolError);
    expect(await failureOf(speech.write('more'))).toBeInstanceOf(Error);
    connection.close();
  });

  test('a finish that is lost, and a half-open connection, meet the idle deadline', async () => {
    const { source, peers } = await startScript({
      onPeer: async (peer) => {
        await peer.until('stop');
        peer.audio(4);
      },
    });
    const connection = await connect(source, {}, { timeouts: { idle: 60 } });
    const error = await failureOf(collect(connection.speak('Hello.')));
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'idle', milliseconds: 60 });
    await peers[0]?.closed;
    connection.close();
  });

  test('a drip of audio without an end meets the total deadline', async () => {
    const { source } = await startScript({
      onPeer: async (peer) => {
        await peer.until('stop');
        const timer = setInterval(() => peer.audio(2), 5);
        void peer.closed.then(() => clearInterval(timer));
      },
    });
    const connection = await connect(source, {}, { timeouts: { idle: 10_000, total: 100 } });
    const error = await failureOf(collect(connection.speak('Hello.')));
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'total' });
    connection.close();
  });

  test('a writer who thinks meets no deadline, and one who flushed does', async () => {
    const { source } = await startScript({ onPeer: () => {} });
    const connection = await connect(source, {}, { timeouts: { idle: 30, total: 30 } });
    const speech = connection.speak();
    await speech.write('I think ');
    await deadlinePasses(30);
    await speech.write('and so on.');
    speech.flush();
    expect(await failureOf(collect(speech))).toMatchObject({ phase: 'idle' });
    connection.close();
  });

  test('a flush with nothing left to speak owes no audio', async () => {
    const { source, peers } = await startScript({
      onPeer: async (peer) => {
        await peer.until('text');
        peer.audio(6);
        await peer.until('stop');
        peer.finish();
      },
    });
    const connection = await connect(source, {}, { timeouts: { idle: 30 } });
    const speech = connection.speak();
    speech.flush();
    await speech.write('Hello.');
    await expect.poll(() => speech.metrics.bytes).toBe(6);
    speech.flush();
    await speech.write(' ... ');
    speech.flush();
    await peers[0]?.until('flush', 3);
    await deadlinePasses(30);
    speech.end();
    expect(await collect(speech)).toHaveLength(6);
    connection.close();
  });

  test('an answer to the upgrade that never comes meets the headers deadline', async () => {
    const { source } = await startScript({ refuse: () => {} });
    const error = await failureOf(connect(source, {}, { timeouts: { headers: 50 } }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ phase: 'headers' });
  });

  test('a signal ends the connecting, the utterance, and the connection', async () => {
    const silent = await startScript({ refuse: () => {} });
    const connecting = new AbortController();
    const failed = failureOf(connect(silent.source, {}, { signal: connecting.signal }));
    connecting.abort('enough');
    expect(await failed).toMatchObject({ name: 'AbortError', cause: 'enough' });
    expect(await failureOf(connect(silent.source, {}, { signal: connecting.signal }))).toBeInstanceOf(
      AbortError,
    );

    const { source, peers } = await startScript({ onPeer: () => {} });
    const whole = new AbortController();
    const connection = await connect(source, {}, { signal: whole.signal });
    const one = new AbortController();
    const first = failureOf(collect(connection.speak('One.', { signal: one.signal })));
    one.abort();
    expect(await first).toBeInstanceOf(AbortError);
    await peers[0]?.closed;
    expect(await failureOf(collect(connection.speak('None.', { signal: one.signal })))).toBeInstanceOf(
      AbortError,
    );
    expect(peers).toHaveLength(1);
    const second = failureOf(collect(connection.speak('Two.')));
    await expect.poll(() => peers.length).toBe(2);
    whole.abort();
    expect(await second).toBeInstanceOf(AbortError);
    await peers[1]?.closed;
    expect(() => connection.speak('Three.')).toThrow(ConnectionError);
  });

  test('a source of text that fails ends the utterance with its error', async () => {
    const { source, peers } = await startScript(speaks(1));
    const connection = await connect(source);
    async function* tokens(): AsyncGenerator<string> {
      yield 'A sentence to begin with. ';
      throw new Error('the model broke');
    }
    expect(await failureOf(collect(connection.speak(tokens())))).toMatchObject({
      message: 'the model broke',
    });
    await peers[0]?.closed;
    connection.close();
  });

  test('interrupt closes the socket, tells what was heard, and nothing of it reaches the next utterance', async () => {
    const { source } = await startScript({
      onPeer: async (peer) => {
        await peer.until('text');
        for (let count = 0; count < 200; count += 1) peer.audio(800);
        await peer.until('stop');
        peer.finish();
      },
    });
    const connection = await connect(source, { format: 'pcm', sample_rate: 8000 });
    for (let round = 0; round < 10; round += 1) {
      const speech = connection.speak();
      await speech.write('One two three four five six.');
      const iterator = speech[Symbol.asyncIterator]();
      await iterator.next();
      expect(speech.interrupt({ playedMs: 600 })).toEqual({
        heard: 'One two',
        estimated: true,
        playedMilliseconds: 600,
      });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
      // At once, while frames of the one before are still on their way.
      expect(await collect(connection.speak('A clean one.'))).toHaveLength(160_000);
      connection.speak().interrupt();
    }
    const before = connection.speak('Nothing.');
    expect(before.interrupt()).toMatchObject({ heard: '' });
    expect(await collect(connection.speak('A last one.'))).toHaveLength(160_000);
    connection.close();
  });

  test('utterances that are interrupted while a socket opens share it', async () => {
    const { source, peers, connections } = await startScript(speaks(1));
    const connection = await connect(source);
    connection.speak('Drop the first socket.').interrupt();
    for (let count = 0; count < 5; count += 1) connection.speak('Never sent.').interrupt();
    expect(await collect(connection.speak('Hello.'))).toHaveLength(6);
    expect(peers).toHaveLength(2);
    connection.close();
    await expect.poll(connections).toBe(0);
  });

  test('leaving the loop interrupts the utterance', async () => {
    const { source, peers } = await startScript({
      onPeer: async (peer) => {
        await peer.until('text');
        peer.audio(10);
      },
    });
    const connection = await connect(source);
    for await (const chunk of connection.speak('Hello.')) {
      expect(chunk).toHaveLength(10);
      break;
    }
    await peers[0]?.closed;
    connection.close();
  });

  test('a frame of 10 MB comes whole, and one beyond the limit is an error', async () => {
    const script = {
      onPeer: async (peer: Peer) => {
        await peer.until('stop');
        peer.audio(10_000_000);
        peer.finish();
      },
    };
    const { source } = await startScript(script);
    const connection = await connect(source);
    expect(await collect(connection.speak('Much.'))).toHaveLength(10_000_000);
    connection.close();
    const limited = await connect(source, {}, { maximumFrameBytes: 1_000_000 });
    const error = await failureOf(collect(limited.speak('Much.')));
    expect(error).toBeInstanceOf(PayloadTooLargeError);
    expect((error as Error).message).toContain('maximumFrameBytes');
    limited.close();
  });

  test('a fast writer waits for a server that does not read, and meets the idle deadline', async () => {
    const { source } = await startScript({ onPeer: ({ socket }) => socket.pause() });
    const connection = await connect(source, {}, { timeouts: { idle: 200 } });
    const speech = connection.speak();
    const text = 'word '.repeat(20_000);
    const writing = (async () => {
      for (let count = 0; count < 1000; count += 1) await speech.write(text);
    })();
    expect(await failureOf(writing)).toMatchObject({ phase: 'idle' });
    // Far less than the 100 MB that it had to say.
    expect(speech.metrics.characters).toBeLessThan(50_000_000);
    connection.close();
  });

  test('a refused connection or an unencrypted address is reported before anything is sent', async () => {
    const { url, source } = await startScript({ refuse: (_request, socket) => socket.destroy() });
    expect(await failureOf(connect(source))).toBeInstanceOf(ConnectionError);
    const settings = { ...source.settings, webSocketUrl: 'ws://api.example.com' };
    const error = await failureOf(connect({ settings }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain('wss://');
    expect(await failureOf(connect({ settings: { webSocketUrl: url } }))).toMatchObject({
      message: /no API key/,
    });
    expect(await failureOf(connect(source, {}, { pauseAboveBytes: Number.NaN }))).toBeInstanceOf(
      ConfigurationError,
    );
  });

  test('through a relay there is a ticket and no key, and a refusal comes as a message', async () => {
    const tickets = ['first', 'second'];
    const { url, peers } = await startScript({
      protocol: 'speech-relay',
      onPeer: async (peer) => {
        const { length } = peers;
        if (length === 1) peer.send({ event: 'ready' });
        else {
          peer.send({ event: 'error', error: 'come later', status: 429, retry_after: 7 });
          peer.socket.close(4429);
        }
        await peer.until('stop');
        peer.audio(3);
        peer.finish();
      },
    });
    const relay = throughRelay({ url: `${url}/`, ticket: async () => tickets.shift() ?? '' });
    const connection = await connect(relay);
    expect(await collect(connection.speak('Hi.'))).toHaveLength(3);
    expect(peers[0]?.upgrade.headers).toMatchObject({
      'sec-websocket-protocol': expect.stringMatching(/^speech-relay, ?ticket.first$/),
    });
    expect(peers[0]?.upgrade.headers).not.toHaveProperty('authorization');
    const error = await failureOf(connect(relay));
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error).toMatchObject({ retryAfterSeconds: 7, message: /come later/ });
    connection.close();
  });

  test('300 connections that are dropped leave no handle behind', async () => {
    const { source, connections, peers } = await startScript(speaks(4));
    const round = async (): Promise<void> => {
      const connection = await connect(source);
      const speech = connection.speak('Hello.');
      await speech[Symbol.asyncIterator]().next();
      connection.close();
      await peers.at(-1)?.closed;
    };
    await round();
    await expect.poll(connections).toBe(0);
    const handles = (): number =>
      process.getActiveResourcesInfo().filter((name) => /TCPSocketWrap|Timeout/.test(name)).length;
    const before = handles();
    for (let count = 0; count < 300; count += 1) await round();
    await expect.poll(connections).toBe(0);
    await expect.poll(handles).toBeLessThanOrEqual(before + 3);
  });
});

test('both entries of the package export the same names', async () => {
  const [web, node] = await Promise.all([import('./index.ts'), import('./node.ts')]);
  expect(Object.keys(node).sort()).toEqual(Object.keys(web).sort());
});

test.each([
  [401, '{"status":401,"message":"no such key: test-key"}', AuthenticationError, /no such key/],
  [402, '{"status":402,"message":"no credit"}', InsufficientCreditError, /no credit/],
  [403, '<html><head>x</head><h1>Forbidden</h1></html>', PermissionDeniedError, /Forbidden$/],
  [
    422,
    '[{"loc":["header","model"],"msg":"is required","type":"a","ctx":""}]',
    InvalidRequestError,
    /header.model: is required/,
  ],
  [426, '', ApiError, /426 with an unexplained body/],
  [429, '{"status":429,"message":"wait"}', TooManyRequestsError, /wait/],
  [503, 'busy', ServerError, /busy/],
  [302, '', ProtocolError, /redirect/],
  [200, 'hello', ProtocolError, /101/],
])(
  'ws: an upgrade refused with %d gives its error with the body',
  async (status, body, ErrorClass, words) => {
    const headers = [
      'x-trace-id: 4bf92f3577b34da6a3ce929d0e0e4736',
      'retry-after: 3',
      'location: ws://127.0.0.1:1/',
    ];
    const { source } = await startScript({
      refuse: (_request, socket) => answer(socket, status, body, headers),
    });
    const error = await failureOf(connectLive(source));
    expect(error).toBeInstanceOf(ErrorClass);
    expect((error as Error).message).toMatch(words);
    if (ApiError.isInstance(error)) {
      expect(error).toMatchObject({
        status,
        retryAfterSeconds: 3,
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      });
      expect(error.issues).toHaveLength(status === 422 ? 1 : 0);
    }
  },
);

test('ws: a refusal whose body never ends is cut', async () => {
  const { source } = await startScript({
    refuse: (_request, socket) => {
      socket.write('HTTP/1.1 403 Refused\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    },
  });
  const error = await failureOf(connectLive(source));
  expect(error).toBeInstanceOf(PermissionDeniedError);
  expect((error as Error).message.length).toBeLessThan(500);
});

test('the global WebSocket: an error says that the runtime hides the refusal', async () => {
  const { source } = await startScript({ refuse: (_request, socket) => answer(socket, 401, '') });
  const error = await failureOf(createConnectLive(openWebSocket)(source));
  expect(error).toBeInstanceOf(ConnectionError);
  expect((error as Error).message).toContain('does not show which');
});

test('ws: a slow reader stops the server and meets no deadline, and still gets everything', async () => {
  const total = 500;
  const { source, peers } = await startScript({
    onPeer: async (peer) => {
      await peer.until('stop');
      const frame = encode({ event: 'audio', audio: new Uint8Array(65_536) });
      for (let sent = 0; sent < total; sent += 1) peer.socket.send(frame);
      peer.finish();
    },
  });
  const connection = await connectLive(source, {}, { timeouts: { idle: 200 } });
  const speech = connection.speak('Much.');
  await expect.poll(() => speech.metrics.bytes).toBeGreaterThan(1_000_000);
  await deadlinePasses(200);
  expect(speech.metrics.bytes).toBeLessThan(4_000_000);
  expect(peers[0]?.socket.bufferedAmount).toBeGreaterThan(10_000_000);
  let bytes = 0;
  for await (const chunk of speech) bytes += chunk.length;
  expect(bytes).toBe(total * 65_536);
  connection.close();
});

test('the global WebSocket: where no socket can be paused, unread audio beyond the limit is an error', async () => {
  const { source } = await startScript({
    onPeer: async (peer) => {
      await peer.until('stop');
      for (let count = 0; count < 100; count += 1) peer.audio(10_000);
    },
  });
  const connection = await createConnectLive(openWebSocket)(source, {}, { maximumUnreadBytes: 500_000 });
  const speech = connection.speak('Much.');
  await expect.poll(() => speech.metrics.bytes).toBeGreaterThan(500_000);
  expect(await failureOf(collect(speech))).toMatchObject({
    message: /510000 bytes.*500000.*maximumUnreadBytes/,
  });
  connection.close();
});

/** Settles when an utterance elsewhere has met its idle deadline: one that began before would have, too. */
async function deadlinePasses(milliseconds: number): Promise<void> {
  const { source } = await startScript({ onPeer: () => {} });
  const connection = await connectLive(source, {}, { timeouts: { idle: milliseconds } });
  expect(await failureOf(collect(connection.speak('Hello.')))).toBeInstanceOf(TimeoutError);
  connection.close();
}

import { decode, encode } from '@msgpack/msgpack';
import {
  AbortError,
  type CallOutcome,
  ConnectionError,
  createTrace,
  type TracedCall,
  type TraceSource,
} from '@speech-api/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  after,
  collect,
  connectTo,
  failureOf,
  openers,
  type Peer,
  speaks,
  startScript,
} from './testing/scripted-server.ts';

describe.each(openers)('with %s', (_, connectTo, connect) => {
  test('a text becomes start, text and stop, and the loop ends with the utterance', async () => {
    const trace = createTrace();
    const request = { format: 'mp3', latency: 'balanced' } as const;
    const { connection, peers } = await connectTo(speaks(10), request, { model: 's1', trace });
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
    expect([speech.finishReason, speech.timeline.isComplete]).toEqual(['stop', true]);
    connection.close();
    await peers[0]?.closed;
  });

  test('a connection serves one utterance after the other, each with its own audio', async () => {
    const { connection, peers } = await connectTo(speaks(1));
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

  test.each([
    ['closes', (peer: Peer) => peer.socket.close()],
    ['fails', (peer: Peer) => peer.socket.close(1011)],
    [
      'times out',
      (peer: Peer) => [peer.send({ event: 'error', error: 'idle', status: 408 }), peer.socket.close(4408)],
    ],
  ])(
    'a socket that the server %s before any text was sent is replaced when there is some',
    async (_what, end) => {
      let opened = 0;
      const { connection, peers } = await connectTo({
        onPeer: async (peer) => {
          opened += 1;
          if (opened > 1) return speaks(1).onPeer?.(peer);
          await peer.until('start');
          end(peer);
        },
      });
      const speech = connection.speak();
      await peers[0]?.closed;
      await speech.write('Hello.');
      speech.end();
      expect(await collect(speech)).toHaveLength(6);
      expect(peers.map(({ received }) => received.map(({ event }) => event))).toEqual([
        ['start'],
        ['start', 'text', 'stop'],
      ]);
    },
  );

  test('writing by hand: many small writes are few messages, and flush and end keep their places', async () => {
    const { connection, peers } = await connectTo(speaks(1));
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
  });

  test('the text of a language model is flushed by clause and sentence', async () => {
    const { connection, peers } = await connectTo(speaks(1));
    async function* tokens(): AsyncGenerator<string> {
      yield* ['Well then, my dear, ', 'it is', ' late. Go', ' home. ', '...'];
    }
    await collect(connection.speak(tokens()));
    expect(peers[0]?.received.slice(1).map(({ event, text }) => text ?? event)).toEqual(
      // The rest contains no words.
      ['Well then, my dear, ', 'flush', 'it is late. ', 'flush', 'Go home. ', 'flush', 'stop'],
    );
  });

  test('no frame is lost, however late the reader comes, and unknown ones are ignored', async () => {
    const { connection } = await connectTo(
      after('stop', async (peer) => {
        for (let index = 0; index < 500; index += 1) {
          peer.audio(Uint8Array.of(index >> 8, index & 255));
          if (index % 50 === 0) {
            peer.socket.send('a text frame');
            peer.send({ event: 'tomorrow', audio: 5 });
          }
        }
        // The same message in another encoding.
        peer.socket.send(encode({ audio: Uint8Array.of(1, 244), event: 'audio', more: [1] }));
        peer.finish();
      }),
    );
    const speech = connection.speak('Late.');
    await expect.poll(() => speech.metrics.bytes).toBe(1002);
    const audio = await collect(speech);
    for (let index = 0; index <= 500; index += 1) expect(audio.readUInt16BE(index * 2)).toBe(index);
    expect(() => speech[Symbol.asyncIterator]()).toThrow(/read once/);
  });

  test.each([1, 2, 3, 5])('pcm comes in whole samples when frames have %d bytes', async (size) => {
    const all = Uint8Array.from({ length: 60 }, (_unused, index) => index);
    const { connection } = await connectTo(
      after('stop', async (peer) => {
        for (let from = 0; from < 60; from += size) peer.audio(all.slice(from, from + size));
        peer.finish();
      }),
      { format: 'pcm' },
    );
    const joined: number[] = [];
    for await (const chunk of connection.speak('Samples.')) {
      expect(chunk.length % 2).toBe(0);
      joined.push(...chunk);
    }
    expect(joined).toEqual([...all]);
  });

  test('a signal ends the connecting, the utterance, and the connection', async () => {
    const silent = await startScript({ refuse: () => {} });
    // Somebody else has listened to each signal before.
    const controllerOf = () => {
      const controller = new AbortController();
      controller.signal.addEventListener('abort', () => {});
      return controller;
    };
    const connecting = controllerOf();
    const failed = failureOf(connect(silent.source, {}, { signal: connecting.signal }));
    connecting.abort('enough');
    expect(await failed).toMatchObject({ name: 'AbortError', cause: 'enough' });
    expect(await failureOf(connect(silent.source, {}, { signal: connecting.signal }))).toBeInstanceOf(
      AbortError,
    );

    const whole = controllerOf();
    const { connection, peers } = await connectTo({}, {}, { signal: whole.signal });
    const controller = controllerOf();
    const first = failureOf(collect(connection.speak('One.', { signal: controller.signal })));
    controller.abort();
    expect(await first).toBeInstanceOf(AbortError);
    await peers[0]?.closed;
    expect(await failureOf(collect(connection.speak('None.', { signal: controller.signal })))).toBeInstanceOf(
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
    const { connection, peers } = await connectTo(speaks(1));
    async function* tokens(): AsyncGenerator<string> {
      yield 'A sentence to begin with. ';
      throw new Error('the model broke');
    }
    expect(await failureOf(collect(connection.speak(tokens())))).toMatchObject({
      message: 'the model broke',
    });
    await peers[0]?.closed;
  });

  test('interrupt closes the socket, tells what was heard, and nothing of it reaches the next utterance', async () => {
    const { connection } = await connectTo(
      after('text', async (peer) => {
        for (let count = 0; count < 40; count += 1) peer.audio(800);
        await peer.until('stop');
        peer.finish();
      }),
      { format: 'pcm', sample_rate: 8000 },
    );
    for (let round = 0; round < 10; round += 1) {
      const speech = connection.speak();
      await speech.write('One two three four five six.');
      const iterator = speech[Symbol.asyncIterator]();
      await iterator.next();
      await expect.poll(() => speech.metrics.bytes).toBe(32_000);
      expect(speech.interrupt({ playedMs: 600 })).toEqual({
        heard: 'One two',
        estimated: true,
        playedMilliseconds: 600,
      });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
      // The next utterance starts at once, while frames of the previous one are still arriving.
      expect(await collect(connection.speak('A clean one.'))).toHaveLength(32_000);
      connection.speak().interrupt();
    }
    const before = connection.speak('Nothing.');
    expect(before.interrupt()).toMatchObject({ heard: '' });
    expect(await collect(connection.speak('A last one.'))).toHaveLength(32_000);
  });

  test('word times are asked for by option, fill the timeline and make exact what was heard', async () => {
    const { connection, peers } = await connectTo(
      after('stop', async (peer) => {
        const words = ['The', 'tide', 'its', 'late'].map((text, index) => ({
          text,
          start: index,
          end: index + 1,
        }));
        const timed = (audio: number, segments: object[] | null) =>
          peer.send({
            event: 'audio',
            audio: new Uint8Array(audio),
            content: '[calm] The tide, it’s late.',
            chunk_seq: 0,
            chunk_audio_offset_sec: 0.5,
            alignment: segments && { audio_duration: segments.length, segments },
          });
        timed(4, words.slice(0, 2));
        timed(4, null);
        // The last correction comes without audio.
        timed(0, words);
        peer.finish();
      }),
      {},
      { timestamps: true },
    );
    expect(peers[0]?.upgrade.url).toBe('/v1/tts/live/with-timestamp');
    const speech = connection.speak('[calm] The tide, it’s late.');
    expect(await collect(speech)).toHaveLength(8);
    expect(speech.timeline.segments.map(({ text, end }) => [text, end])).toEqual([
      ['The', 1.5],
      ['tide', 2.5],
      ['its', 3.5],
      ['late', 4.5],
    ]);
    for (const [playedMs, heard] of [
      [1000, ''],
      [2600, '[calm] The tide,'],
      [3600, '[calm] The tide, it’s'],
      [9000, '[calm] The tide, it’s late.'],
    ] as const) {
      expect(speech.interrupt({ playedMs })).toEqual({
        heard,
        estimated: false,
        playedMilliseconds: playedMs,
      });
    }
  });
});

test.each([['👍', ' 🎉🎉', '…'], ['', '!?'], []])(
  'tokens without words (%j) are an utterance without sound',
  async (...tokens) => {
    const { connection, peers } = await connectTo(speaks(1));
    async function* source() {
      yield* tokens;
    }
    for (let round = 0; round < 2; round += 1) {
      const speech = connection.speak(source());
      expect(await collect(speech)).toHaveLength(0);
      expect(speech.metrics).toMatchObject({ characters: 0, firstAudioMilliseconds: undefined });
    }
    expect(await collect(connection.speak('Hello.'))).toHaveLength(6);
    expect(peers).toHaveLength(1);
  },
);

const closing = (milliseconds: number) =>
  after('stop', (peer) => {
    peer.audio(4);
    peer.finish();
    if (milliseconds === 0) peer.socket.close();
    else setTimeout(() => peer.socket.close(), milliseconds);
  });

test.each([0, 1, 45])('twenty utterances of a server that closes %i ms after each', async (milliseconds) => {
  const { connection, peers } = await connectTo(closing(milliseconds));
  for (let count = 0; count < 20; count += 1)
    expect(await collect(connection.speak('Hello.')), `utterance ${count}`).toHaveLength(4);
  expect(peers.flatMap(({ received }) => received).filter(({ event }) => event === 'text')).toHaveLength(20);
});

test('a server that closes while the next utterance has begun breaks one utterance, and then no more', async () => {
  const { connection, peers } = await connectTo({
    onPeer: async (peer) => {
      peer.socket.on('message', (data) => {
        const { event } = decode(data as Buffer) as { event: string };
        // On a socket that has already served an utterance, the text of the next one is lost.
        if (event === 'text' && peer.received.some((message) => message.event === 'stop'))
          peer.socket.close(1000);
        if (event !== 'stop') return;
        peer.audio(4);
        peer.finish();
      });
    },
  });
  expect(await collect(connection.speak('First.'))).toHaveLength(4);
  expect(await failureOf(collect(connection.speak('Lost.')))).toBeInstanceOf(ConnectionError);
  for (let count = 0; count < 5; count += 1)
    expect(await collect(connection.speak('Hello.'))).toHaveLength(4);
  expect(peers).toHaveLength(6);
});

test('a socket that was idle for long and does not answer a ping is replaced before it is used', async () => {
  const { connection, peers } = await connectTo(speaks(1));
  expect(await collect(connection.speak('First.'))).toHaveLength(6);
  const now = performance.now.bind(performance);
  let later = 11_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await collect(connection.speak('Alive.'))).toHaveLength(6);
  expect(peers).toHaveLength(1);
  // The other side disappears silently.
  peers[0]?.socket.pause();
  later += 11_000;
  expect(await collect(connection.speak('Again.'))).toHaveLength(6);
  expect(peers).toHaveLength(2);
});

test('where nobody can be pinged, a socket that was idle for long is replaced', async () => {
  const [, [, connectByGlobal]] = openers;
  const { connection, peers } = await connectByGlobal(speaks(1));
  expect(await collect(connection.speak('First.'))).toHaveLength(6);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await collect(connection.speak('Again.'))).toHaveLength(6);
  expect(peers).toHaveLength(2);
});

test('each utterance has its own span, with figures and without text', async () => {
  const calls: TracedCall[] = [];
  const outcomes: CallOutcome[] = [];
  const { traceparent } = createTrace();
  const trace: TraceSource = {
    traceparent,
    startCall: (call) => {
      calls.push(call);
      return { traceparent: traceparent(), end: (outcome) => outcomes.push(outcome) };
    },
  };
  const { connection } = await connectTo(speaks(1), { format: 'pcm' }, { trace, model: 's1' });
  await collect(connection.speak('Two words.'));
  connection.speak('Never sent.', { request: { format: 'opus' }, signal: AbortSignal.abort() });
  const operation = { operationId: 'openLiveSession', method: 'GET', path: '/v1/tts/live', model: 's1' };
  expect(calls).toMatchObject([
    { ...operation, format: 'pcm', baseUrl: expect.stringMatching(/^ws:/) },
    { ...operation, format: 'opus' },
  ]);
  expect(outcomes).toEqual([
    { characters: 10, firstAudioMilliseconds: expect.any(Number) },
    { characters: 0, firstAudioMilliseconds: undefined, error: expect.any(AbortError) },
  ]);
});

test('the time to the first audio counts from speak()', async () => {
  const { connection } = await connectTo(speaks(1));
  async function* slow() {
    await new Promise((resolve) => setTimeout(resolve, 50));
    yield 'Hello there.';
  }
  const speech = connection.speak(slow());
  await collect(speech);
  expect(speech.metrics.firstAudioMilliseconds).toBeGreaterThanOrEqual(49);
});

test('a server that closes behind finish is expected to, however busy this process is meanwhile', async () => {
  const { connection } = await connectTo(closing(1));
  for (let count = 0; count < 3; count += 1) {
    expect(await collect(connection.speak('Hello.')), `utterance ${count}`).toHaveLength(4);
    for (const until = performance.now() + 60; performance.now() < until; );
  }
});

test('an utterance may have its own voice and format', async () => {
  const { connection, peers } = await connectTo(speaks(1), { reference_id: 'one' });
  await collect(connection.speak('Hello.'));
  await collect(connection.speak('Hello.', { request: { reference_id: 'two', format: 'opus' } }));
  const starts = peers[0]?.received.filter(({ event }) => event === 'start');
  expect(starts?.map(({ request }) => request)).toMatchObject([
    { reference_id: 'one' },
    { reference_id: 'two', format: 'opus' },
  ]);
});

test('a voice sample that is a file arrives whole, also where a Blob made of files leaves them out', async () => {
  // As in Bun.
  const { Blob } = globalThis;
  class BlobWithoutFiles extends Blob {
    constructor(parts: BlobPart[]) {
      super(parts.filter((part) => !(part instanceof Blob)));
    }
  }
  vi.stubGlobal('Blob', BlobWithoutFiles);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { connection, peers } = await connectTo(speaks(1));
  const audio = new File([Uint8Array.of(1, 2, 3)], 'voice.wav');
  await collect(connection.speak('Hello.', { request: { references: [{ audio, text: 'Hi.' }] } }));
  const references = [{ audio: Buffer.of(1, 2, 3), text: 'Hi.' }];
  expect(peers[0]?.received[0]).toEqual({ event: 'start', request: { references, text: '' } });
});

import {
  BadRequestError,
  ConnectionError,
  ProtocolError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
} from '@speech-api/client';
import { describe, expect, test } from 'vitest';
import { createConnectLive } from './connection.ts';
import type { LiveRequest } from './messages.ts';
import { openNodeSocket } from './node-socket.ts';
import { throughRelay } from './options.ts';
import {
  after,
  collect,
  connectTo,
  deadlinePasses,
  failureOf,
  openers,
  type Peer,
  speaks,
  startScript,
} from './testing/scripted-server.ts';

type Act = (peer: Peer) => unknown;
const sends =
  (...messages: object[]): Act =>
  (peer) =>
    messages.forEach(peer.send);
const closes =
  (code?: number, reason?: string): Act =>
  ({ socket }) =>
    socket.close(code, reason);
const fails = (fields: object): Act => sends({ event: 'error', ...fields });
const tooMany = fails({ error: 'too many', status: 429, retry_after: 5 });
const finish = { event: 'finish', reason: 'stop' };
const audio = { event: 'audio', audio: Uint8Array.of(1, 2) };

describe.each(openers)('with %s', (_, connectTo, connect) => {
  test.each([
    ['closes behind finish', (peer: Peer) => [peer.finish(), peer.socket.close(1000)]],
    ['drops the connection behind finish', (peer: Peer) => [peer.finish(), peer.socket.terminate()]],
    ['finishes twice', sends(finish, finish)],
    ['sends audio after finish', sends(finish, audio)],
    ['sends empty audio', sends({ event: 'audio', audio: new Uint8Array() }, finish)],
    ['finishes for an unknown reason', sends({ event: 'finish', reason: 'rest' })],
  ])('a server that %s has spoken all the same', async (_what, act: Act) => {
    const { connection } = await connectTo(after('stop', (peer) => [peer.audio(4), act(peer)]));
    expect(await collect(connection.speak('Hello.'))).toHaveLength(4);
  });

  test.each([
    [
      'a failed finish',
      sends({ event: 'finish', reason: 'error', message: 'voice lost by test-key' }),
      ServerError,
      /voice lost/,
    ],
    ['an error', fails({ error: 'bad rate for test-key' }), BadRequestError, /bad rate/],
    ['an error with a limit', fails({ error: 'too many', max_concurrency: 5 }), TooManyRequestsError, /many/],
    ['an error without words', fails({}), BadRequestError, /without an explanation/],
    ['a close without a code', closes(), ConnectionError, /before finish.*1005/],
    ['a server that goes away', closes(1001, 'bye'), ConnectionError, /1001: bye/],
    ['a server that is gone', (peer: Peer) => peer.socket.terminate(), ConnectionError, /1006/],
    ['a refused frame', closes(1008, 'order of test-key'), BadRequestError, /order/],
    ['a code of the relay', closes(4429, 'wait'), TooManyRequestsError, /wait/],
    [
      'a claim of much',
      (peer: Peer) => peer.socket.send(Buffer.of(0xdd, 0xff, 0xff, 0xff, 0xff)),
      ProtocolError,
      /not MessagePack/,
    ],
    ['a list', sends([1, 2]), ProtocolError, /no field event/],
    ['audio as a word', sends({ event: 'audio', audio: 'loud' }), ProtocolError, /audio message .* no bytes/],
    ['half a sample', (peer: Peer) => [peer.audio(1), peer.finish()], ProtocolError, /half a sample/],
  ] as const)(
    '%s ends the utterance with its error, behind the audio that came, and nothing is sent again',
    async (name, act, ErrorClass, words) => {
      const script = after('stop', (peer) => [peer.audio(6), act(peer)]);
      const { connection, peers } = await connectTo(script, { format: 'pcm' });
      let bytes = 0;
      const reading = (async () => {
        for await (const chunk of connection.speak('Hello.')) bytes += chunk.length;
      })();
      const error = await failureOf(reading);
      expect(error, name).toBeInstanceOf(ErrorClass);
      expect((error as Error).message).toMatch(words);
      expect((error as Error).message).not.toContain('test-key');
      expect([bytes, peers.length]).toEqual([6, 1]);
    },
  );

  test.each([
    ['an error', tooMany],
    ['an error and a close', (peer: Peer) => [tooMany(peer), peer.socket.close(1008)]],
    ["a relay's ready and an error", (peer: Peer) => [peer.send({ event: 'ready' }), tooMany(peer)]],
  ])('%s that comes with the answer to the upgrade is the error of the utterance', async (what, act: Act) => {
    const isRelay = what.includes('relay');
    const script = { onPeer: (peer: Peer) => void act(peer) };
    const { source, url } = await startScript(isRelay ? { ...script, protocol: 'speech-relay' } : script);
    const connecting = connect(isRelay ? throughRelay({ url }) : source);
    const error = await failureOf(connecting.then((connection) => collect(connection.speak('Hello.'))));
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error).toMatchObject({ retryAfterSeconds: 5 });
  });

  test('a finish without audio is an error', async () => {
    const { connection } = await connectTo(speaks(0));
    expect(await failureOf(collect(connection.speak('Words.')))).toMatchObject({
      message: expect.stringContaining('without audio'),
    });
  });

  test('what cannot be meant is refused by name before anything is sent', async () => {
    const { connection, source } = await connectTo(speaks(1));
    const wrong = (value: unknown) => value as never;
    const refusedAtOnce: readonly (readonly [Promise<unknown>, RegExp])[] = [
      [connect(wrong({ format: 'mp3' })), /first argument of connectLive is the client/],
      [connect(wrong(undefined)), /first argument of connectLive is the client/],
      [connect(source, wrong('mp3')), /second argument of connectLive/],
      [connect(source, wrong({ text: 'Hello.' })), /text is given to connection\.speak/],
      [connect(source, { format: wrong('flac') }), /format is "flac"; use one of wav/],
    ];
    for (const [attempt, words] of refusedAtOnce)
      expect(await failureOf(attempt)).toMatchObject({ message: words });
    const cases: readonly (readonly [() => unknown, RegExp])[] = [
      [() => connection.speak(' '), /the text is empty/],
      [() => connection.speak(wrong(42)), /the text is number/],
    ];
    for (const [attempt, words] of cases) expect(attempt).toThrow(words);
    // The connection stays usable.
    expect(await collect(connection.speak('Hello.'))).not.toHaveLength(0);
  });

  test('an unrequested finish is an error', async () => {
    const { connection } = await connectTo(after('text', (peer) => peer.finish()));
    const speech = connection.speak();
    await speech.write('Hello.');
    expect(await failureOf(collect(speech))).toBeInstanceOf(ProtocolError);
    expect(await failureOf(speech.write('more'))).toBeInstanceOf(Error);
  });

  test('a finish that is lost, and a half-open connection, meet the idle deadline', async () => {
    const script = after('stop', (peer) => peer.audio(4));
    const { connection, peers } = await connectTo(script, {}, { timeouts: { idle: 60 } });
    const error = await failureOf(collect(connection.speak('Hello.')));
    expect(error).toMatchObject({ name: 'TimeoutError', phase: 'idle', milliseconds: 60 });
    expect((error as Error).message).toBe('no further bytes within 60 ms; set timeouts.idle to wait longer');
    await peers[0]?.closed;
  });

  test('a drip of audio without an end meets the total deadline', async () => {
    const drip = after('stop', (peer) => {
      const timer = setInterval(() => peer.audio(2), 5);
      void peer.closed.then(() => clearInterval(timer));
    });
    const { connection } = await connectTo(drip, {}, { timeouts: { idle: 10_000, total: 100 } });
    expect(await failureOf(collect(connection.speak('Hello.')))).toMatchObject({ phase: 'total' });
  });

  test('a writer that pauses meets no deadline, and one that flushed does', async () => {
    const { connection } = await connectTo({}, {}, { timeouts: { idle: 30, total: 30 } });
    const speech = connection.speak();
    await speech.write('I think ');
    await deadlinePasses(30);
    await speech.write('and so on.');
    speech.flush();
    expect(await failureOf(collect(speech))).toMatchObject({ phase: 'idle' });
  });

  test('a flush with nothing left to speak owes no audio', async () => {
    const script = after('text', (peer) => peer.audio(6));
    const { connection, peers } = await connectTo(script, {}, { timeouts: { idle: 30 } });
    const speech = connection.speak();
    speech.flush();
    await speech.write('Hello.');
    await expect.poll(() => speech.metrics.bytes).toBe(6);
    speech.flush();
    await speech.write(' ... ');
    speech.flush();
    await peers[0]?.until('flush', 3);
    await deadlinePasses(30);
    speech.interrupt();
    // An utterance that had missed its deadline would throw here.
    expect(await collect(speech)).toHaveLength(0);
  });

  test('an answer to the upgrade that never comes meets the headers deadline', async () => {
    const { source } = await startScript({ refuse: () => {} });
    const error = await failureOf(connect(source, {}, { timeouts: { headers: 50 } }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ phase: 'headers' });
  });
});

test.each([-5, Number.NaN, Number.POSITIVE_INFINITY])(
  'an interruption after %d ms is refused',
  async (playedMs) => {
    const { connection } = await connectTo(speaks(1));
    const speech = connection.speak('Hello.');
    expect(() => speech.interrupt({ playedMs })).toThrow(`playedMs is ${playedMs}; give milliseconds from 0`);
    expect(await collect(speech)).toHaveLength(6);
  },
);

test.each<[name: string, request: object, field: string]>([
  ['a bigint', { seed: 1n }, 'seed'],
  ['a date', { references: [{ audio: new Date(), text: 'a' }] }, 'references.0.audio'],
  ['NaN', { 'a/b~c': Number.NaN }, 'a/b~c'],
  ['another format', { format: {} }, 'format'],
])('%s in a request is refused by its field before anything is sent', async (_, request, field) => {
  const { connection, source, peers } = await connectTo(speaks(4));
  const connecting = createConnectLive(openNodeSocket)(source, request as LiveRequest);
  expect(await failureOf(connecting)).toMatchObject({ name: 'RequestError', field });
  const speak = () => connection.speak('Hello.', { request: request as LiveRequest });
  expect(speak).toThrow(expect.objectContaining({ name: 'RequestError', field }));
  expect(peers.flatMap(({ received }) => received)).toEqual([]);
  expect(await collect(connection.speak('Hello.'))).toHaveLength(24);
});

test('fields that nobody knows yet go with the request, and no others', async () => {
  const extra = { pronunciation_dictionary: 'mine' };
  const { connection, source, peers } = await connectTo(speaks(1), {}, { extra });
  await collect(connection.speak('Hello.'));
  expect(peers[0]?.received[0]).toMatchObject({ event: 'start', request: extra });
  const connecting = createConnectLive(openNodeSocket)(source, {}, { extra: { format: 'wav' } });
  expect(await failureOf(connecting)).toMatchObject({ name: 'RequestError', field: 'extra.format' });
});

test('write throws for a value that is not text', async () => {
  const { connection, peers } = await connectTo(speaks(4));
  const speech = connection.speak();
  for (const value of [1n, {}, 7])
    expect(() => speech.write(value as never)).toThrow(expect.objectContaining({ field: 'text' }));
  await speech.write('Hello.');
  speech.end();
  await collect(speech);
  expect(peers[0]?.received).toContainEqual({ event: 'text', text: 'Hello.' });
});

import { SpeechError } from '@speech-api/client';
import { expect, test } from 'vitest';
import { connectLive, createLivePool, reconnecting } from './node.ts';
import {
  collect,
  failureOf,
  type Peer,
  type Received,
  type Script,
  speaks,
  startScript,
} from './testing/scripted-server.ts';

// Written from the README alone: servers and callers that do what nobody should, and a few do.

/** A server that receives the whole utterance, and then does this. */
const afterStop = (act: (peer: Peer) => unknown): Script => ({
  onPeer: async (peer) => {
    await peer.until('stop');
    act(peer);
  },
});
const raw = (peer: Peer, ...bytes: number[]) =>
  (peer.socket as unknown as { _socket: { write(data: Buffer): void } })._socket.write(Buffer.from(bytes));

test.each<[string, number | RegExp, (peer: Peer) => unknown]>([
  ['finishes and closes in one write', 4, (peer) => [peer.audio(4), peer.finish(), peer.socket.close(1000)]],
  ['finishes and closes without a code', 4, (peer) => [peer.audio(4), peer.finish(), peer.socket.close()]],
  ['finishes and drops the connection', 4, (peer) => [peer.audio(4), peer.finish(), peer.socket.terminate()]],
  ['finishes twice', 4, (peer) => [peer.audio(4), peer.finish(), peer.finish()]],
  ['sends audio after finish', 4, (peer) => [peer.audio(4), peer.finish(), peer.audio(9)]],
  ['sends empty audio first', 4, (peer) => [peer.audio(0), peer.audio(4), peer.finish()]],
  ['finishes for an unknown reason', 4, (peer) => [peer.audio(4), peer.finish('rest')]],
  ['closes with 1000 before finish', /clos|end/, (peer) => [peer.audio(4), peer.socket.close(1000)]],
  ['sends a list', /message|MessagePack/, (peer) => peer.send([1, 2])],
  ['sends audio as a word', /audio/, (peer) => peer.send({ event: 'audio', audio: 'loud' })],
  ['sends an error without words', /without an explanation/, (peer) => peer.send({ event: 'error' })],
  [
    'sends an error that is an object',
    /^(?!.*object Object)/,
    (peer) => peer.send({ event: 'error', error: {} }),
  ],
  ['sends a frame with reserved bits', /frame|protocol|RSV/i, (peer) => raw(peer, 0xf2, 0x01, 0x00)],
  ['sends a masked frame', /frame|protocol|MASK/i, (peer) => raw(peer, 0x82, 0x81, 1, 2, 3, 4, 5)],
])('a server that %s: %s', async (_what, expected, act) => {
  const { source } = await startScript(afterStop(act));
  const connection = await connectLive(source, {});
  const reading = collect(connection.speak('Hello.'));
  if (typeof expected === 'number') expect(await reading).toHaveLength(expected);
  else {
    const error = await failureOf(reading);
    expect(error).toBeInstanceOf(SpeechError);
    expect((error as Error).message).toMatch(expected);
  }
  connection.close();
});

test.each<[number, string, (socket: Parameters<NonNullable<Script['refuse']>>[1]) => void]>([
  [429, 'and breaks off its body', (socket) => socket.end('HTTP/1.1 429 X\r\ncontent-length: 99\r\n\r\nto')],
  [
    403,
    'and never ends its body',
    (socket) => socket.write('HTTP/1.1 403 X\r\ncontent-length: 99\r\n\r\nto'),
  ],
  [
    403,
    'and sends its body without end',
    (socket) => {
      socket.write('HTTP/1.1 403 X\r\ntransfer-encoding: chunked\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`));
      };
      socket.on('drain', more);
      more();
    },
  ],
  [
    503,
    'with broken chunks',
    (socket) => socket.end('HTTP/1.1 503 X\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
  ],
])('an upgrade refused with %i %s keeps its status', async (status, _how, refuse) => {
  const { source } = await startScript({ refuse: (_request, socket) => refuse(socket) });
  const error = await failureOf(connectLive(source, {}, { timeouts: { headers: 2000 } }));
  expect(error).toMatchObject({ status });
  expect((error as Error).message.length).toBeLessThan(500);
});

const closing = (milliseconds: number): Script => ({
  onPeer: async (peer) => {
    await peer.until('stop');
    peer.audio(4);
    peer.finish();
    if (milliseconds === 0) peer.socket.close();
    else setTimeout(() => peer.socket.close(), milliseconds);
  },
});

test.each([0, 1, 5])('twenty utterances of a server that closes %i ms after each', async (milliseconds) => {
  const { source, peers } = await startScript(closing(milliseconds));
  const connection = await connectLive(source, {});
  for (let count = 0; count < 20; count += 1)
    expect(await collect(connection.speak('Hello.')), `utterance ${count}`).toHaveLength(4);
  expect(peers.flatMap(({ received }) => received).filter((each) => each.event === 'text')).toHaveLength(20);
  connection.close();
});

test('a pool over a server that closes after each utterance', async () => {
  const { source } = await startScript(closing(0));
  const pool = createLivePool(() => connectLive(source, {}));
  for (let count = 0; count < 20; count += 1) {
    const connection = await pool.take();
    expect(await collect(connection.speak('Hello.')), `utterance ${count}`).toHaveLength(4);
    connection.close();
  }
  pool.close();
});

test('text that was sent is not sent again when the server closes', async () => {
  const { source, peers } = await startScript(afterStop((peer) => peer.socket.close(1000)));
  const connection = await connectLive(source, {});
  expect(await failureOf(collect(connection.speak('Hello.')))).toBeInstanceOf(SpeechError);
  expect(peers).toHaveLength(1);
  connection.close();
});

test('the voice of one utterance is another', async () => {
  const { source, peers } = await startScript(speaks(1));
  const connection = await connectLive(source, { reference_id: 'one' });
  await collect(connection.speak('Hello.'));
  await collect(connection.speak('Hello.', { request: { reference_id: 'two', format: 'opus' } } as object));
  const starts = peers[0]?.received.filter((each: Received) => each.event === 'start');
  expect(starts?.map(({ request }) => request)).toMatchObject([
    { reference_id: 'one' },
    { reference_id: 'two', format: 'opus' },
  ]);
  connection.close();
});

test.each<[string, () => unknown]>([
  [
    'a generator',
    async function* () {
      yield 'Hello.';
    },
  ],
  ['a stream', () => new Blob(['Hello.']).stream().pipeThrough(new TextDecoderStream())],
])('reconnecting speaks %s of which nothing was read when the first socket broke', async (_what, text) => {
  let sockets = 0;
  const { source } = await startScript({
    onPeer: (peer) => {
      sockets += 1;
      if (sockets === 1) peer.socket.terminate();
      else void speaks(1).onPeer?.(peer);
    },
  });
  const speech = reconnecting(await connectLive(source, {})).speak(text() as AsyncIterable<string>);
  expect(await collect(speech)).toHaveLength(6);
});

test.each([
  'Hello there, this is a long story.',
  '今日はとても良い天気ですから、海へ行きましょう。',
  '今天天气很好，我们一起去海边吧。',
])('half of the audio of "%s" is about half of what was heard', async (text) => {
  // Latin scripts take 15 characters a second, Chinese and Japanese some five; 32 000 bytes are one second.
  const perCharacter = /\p{Script=Latin}/u.test(text) ? 2000 : 6400;
  const { source } = await startScript(speaks(perCharacter));
  const connection = await connectLive(source, { format: 'pcm', sample_rate: 16_000 });
  const speech = connection.speak(text);
  const bytes = (await collect(speech)).length;
  const { heard } = speech.interrupt({ playedMs: bytes / 64 });
  expect(heard.length / text.length).toBeGreaterThan(0.3);
  expect(heard.length / text.length).toBeLessThan(0.7);
  connection.close();
});

import { BadRequestError } from '@speech-api/client';
import { expect, test } from 'vitest';
import { reconnecting } from './reconnecting.ts';
import { collect, connectTo, failureOf, type Peer, type Script, speaks } from './testing/scripted-server.ts';

const quick = { minimumDelay: 2, maximumDelay: 20 };

/** A server whose sockets, one after the other, do this once the text is there; the last act is repeated. */
function acts(...steps: readonly ((peer: Peer) => void)[]): Script {
  let count = 0;
  return {
    async onPeer(peer) {
      const act = steps[Math.min(count, steps.length - 1)];
      count += 1;
      await peer.until('stop');
      act?.(peer);
    },
  };
}

const breakOff = ({ socket }: Peer): void => socket.terminate();
const speak = (peer: Peer): void => {
  peer.audio(10);
  peer.finish();
};

async function* generator(): AsyncGenerator<string> {
  yield 'Hello.';
}

test.each<[string, () => string | AsyncIterable<string>]>([
  ['a text', () => 'Hello.'],
  ['a generator', generator],
  ['a stream', () => new Blob(['Hello.']).stream().pipeThrough(new TextDecoderStream())],
])('%s that failed before its first audio is repeated in full', async (_, text) => {
  const { connection, peers } = await connectTo(acts(breakOff, (peer) => peer.socket.close(1011), speak));
  expect(await collect(reconnecting(connection, quick).speak(text()))).toHaveLength(10);
  expect(peers.map(({ received }) => received[1])).toEqual(Array(3).fill({ event: 'text', text: 'Hello.' }));
});

test('a stream of which nothing was read when the socket broke is spoken by the next one', async () => {
  let sockets = 0;
  const { connection } = await connectTo({
    onPeer: (peer) => {
      sockets += 1;
      if (sockets === 1) setImmediate(() => peer.socket.terminate());
      else void speaks(1).onPeer?.(peer);
    },
  });
  expect(await collect(reconnecting(connection).speak(generator()))).toHaveLength(6);
});

test.each([
  ['audio', (peer: Peer) => [peer.audio(10), breakOff(peer)], 1],
  ['a refusal', (peer: Peer) => peer.send({ event: 'error', error: 'no' }), 1],
  ['no credit', (peer: Peer) => peer.socket.close(4402), 1],
  ['a limit', (peer: Peer) => peer.send({ event: 'error', error: 'full', max_concurrency: 1 }), 3],
  [
    'a limit that asks for a long wait',
    (peer: Peer) => peer.send({ event: 'error', error: 'full', status: 429, retry_after: 60 }),
    1,
  ],
])('after %s it tries as often as that can help', async (name, act, attempts) => {
  const { connection, peers } = await connectTo(acts(act));
  const error = await failureOf(collect(reconnecting(connection, { ...quick, retries: 2 }).speak('Hello.')));
  expect(error).toBeInstanceOf(Error);
  expect(BadRequestError.isInstance(error)).toBe(name === 'a refusal');
  expect(peers).toHaveLength(attempts);
});

test('a wait can be aborted', async () => {
  const { connection, peers } = await connectTo(acts(breakOff));
  const abort = new AbortController();
  const forever = { minimumDelay: Number.POSITIVE_INFINITY, maximumDelay: Number.POSITIVE_INFINITY };
  const speech = reconnecting(connection, forever);
  const failed = failureOf(collect(speech.speak('Hello.', { signal: abort.signal })));
  await expect.poll(() => peers.length).toBe(1);
  abort.abort('enough');
  expect(await failed).toMatchObject({ name: 'AbortError', cause: 'enough' });
  expect(peers).toHaveLength(1);
});

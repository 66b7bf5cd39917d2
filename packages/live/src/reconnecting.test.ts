import { BadRequestError } from '@speech-api/client';
import { expect, test } from 'vitest';
import { createConnectLive } from './connection.ts';
import { openNodeSocket } from './node-socket.ts';
import { reconnecting } from './reconnecting.ts';
import { collect, failureOf, type Peer, startScript } from './testing/scripted-server.ts';

const connectLive = createConnectLive(openNodeSocket);
const quick = { minimumDelay: 2, maximumDelay: 20 };

/** A server whose sockets, one after the other, do this once the text is there. */
function acts(...steps: readonly ((peer: Peer) => void)[]): {
  readonly peers: () => number;
  readonly script: { onPeer: (peer: Peer) => Promise<void> };
} {
  let count = 0;
  return {
    peers: () => count,
    script: {
      async onPeer(peer) {
        const act = steps[Math.min(count, steps.length - 1)];
        count += 1;
        await peer.until('stop');
        act?.(peer);
      },
    },
  };
}

const breakOff = ({ socket }: Peer): void => socket.terminate();
const speak = (peer: Peer): void => {
  peer.audio(10);
  peer.finish();
};

test('an utterance that failed before its first audio is repeated, its text in full', async () => {
  const { script, peers } = acts(breakOff, (peer) => peer.socket.close(1011), speak);
  const { source, peers: sockets } = await startScript(script);
  const connection = await connectLive(source);
  expect(await collect(reconnecting(connection, quick).speak('Hello.'))).toHaveLength(10);
  expect(peers()).toBe(3);
  expect(sockets[2]?.received[1]).toEqual({ event: 'text', text: 'Hello.' });
  connection.close();
});

test('nothing is repeated once audio has arrived', async () => {
  const { script, peers } = acts((peer) => {
    peer.audio(10);
    breakOff(peer);
  }, speak);
  const { source } = await startScript(script);
  const connection = await connectLive(source);
  expect(await failureOf(collect(reconnecting(connection, quick).speak('Hello.')))).toBeInstanceOf(Error);
  expect(peers()).toBe(1);
  connection.close();
});

test.each([
  ['a refusal', (peer: Peer) => peer.send({ event: 'error', error: 'no' }), 1],
  ['no credit', (peer: Peer) => peer.socket.close(4402), 1],
  ['a limit', (peer: Peer) => peer.send({ event: 'error', error: 'full', max_concurrency: 1 }), 3],
  [
    'a limit that asks for a long wait',
    (peer: Peer) => peer.send({ event: 'error', error: 'full', status: 429, retry_after: 60 }),
    1,
  ],
])('after %s it tries as often as that can help', async (_, act, attempts) => {
  const { script, peers } = acts(act);
  const { source } = await startScript(script);
  const connection = await connectLive(source);
  const error = await failureOf(collect(reconnecting(connection, { ...quick, retries: 2 }).speak('Hello.')));
  expect(error).toBeInstanceOf(Error);
  expect(BadRequestError.isInstance(error)).toBe(_ === 'a refusal');
  expect(peers()).toBe(attempts);
  connection.close();
});

test('the waits are between nothing and twice the one before, up to a maximum, and can be aborted', async () => {
  const { script, peers } = acts(breakOff);
  const { source } = await startScript(script);
  const connection = await connectLive(source);
  const abort = new AbortController();
  const speech = reconnecting(connection, { minimumDelay: 1e6, maximumDelay: 1e6, random: () => 1 });
  const failed = failureOf(collect(speech.speak('Hello.', { signal: abort.signal })));
  await expect.poll(peers).toBe(1);
  abort.abort('enough');
  expect(await failed).toMatchObject({ name: 'AbortError', cause: 'enough' });
  expect(peers()).toBe(1);
  connection.close();
});

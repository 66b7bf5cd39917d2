import { decode, encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { serve } from '../testing/serve.ts';
import { holdSession, liveAddress } from './hold-session.ts';

const limits = { idleMs: 30_000, totalMs: 30_000 };

async function serveLive(
  behaviour: (socket: WebSocket, event: unknown) => void,
  refuse = false,
): Promise<string> {
  const sockets = new WebSocketServer({ noServer: true });
  const url = await serve(
    () => {},
    (request, socket, head) => {
      if (refuse) socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\n{}');
      else {
        sockets.handleUpgrade(request, socket, head, (live) => {
          live.on('message', (data: Buffer) => behaviour(live, (decode(data) as { event: unknown }).event));
        });
      }
    },
  );
  return liveAddress(url.replace('http', 'ws'));
}

const script = [
  { send: { event: 'start' } },
  { wait: 'audio' },
  { send: { event: 'stop' } },
  { wait: 'finish' },
] as const;
const eventsOf = (session: Awaited<ReturnType<typeof holdSession>>) =>
  session.messages.map(
    ({ direction, bytes }) => `${direction} ${(decode(bytes) as { event: string }).event}`,
  );

test('plays its script and notes down both sides in their order', async () => {
  const url = await serveLive((socket, event) => {
    if (event === 'start') socket.send(encode({ event: 'audio', audio: new Uint8Array(2) }));
    if (event === 'stop') socket.send(encode({ event: 'finish', reason: 'stop' }));
  });
  const session = await holdSession({ url, headers: {}, script }, limits);
  expect(eventsOf(session)).toEqual(['sent start', 'received audio', 'sent stop', 'received finish']);
  expect(session.upgrade.response.status).toBe(101);
  expect(session.close).toMatchObject({ code: 1000, by: 'client' });
});

test('a refused upgrade has its status and body, and no messages', async () => {
  const session = await holdSession({ url: await serveLive(() => {}, true), headers: {}, script }, limits);
  expect(session.upgrade.response).toMatchObject({ status: 401, ended: 'complete' });
  expect(session.failure).toBeUndefined();
  expect(session.messages).toEqual([]);
  expect(session.close).toBeUndefined();
});

test("an error of the server ends the script, and its close is the server's", async () => {
  const url = await serveLive((socket) => {
    socket.send(encode({ event: 'error', error: 'no' }));
    socket.close(1008);
  });
  const session = await holdSession({ url, headers: {}, script }, limits);
  expect(eventsOf(session)).toEqual(['sent start', 'received error']);
  expect(session.close?.code).toBe(1008);
});

test('a server that says nothing is not waited for beyond the limit', async () => {
  const session = await holdSession(
    { url: await serveLive(() => {}), headers: {}, script },
    // This is long enough for a busy machine to shake hands.
    { ...limits, idleMs: 1000 },
  );
  expect(session.unanswered).toEqual(['audio', 'finish']);
  expect(session.close).toMatchObject({ by: 'client' });
});

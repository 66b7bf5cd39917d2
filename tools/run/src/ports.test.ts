import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { onFreePort } from './ports.ts';

const open: Server[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      open.push(server);
      resolve(server);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

it('moves up to the next port while ports are taken', async () => {
  const taken = portOf(await listen(0));
  expect(portOf(await onFreePort(taken, listen))).toBeGreaterThan(taken);
});

it('sees a taken port behind a wrapped error', async () => {
  const asked: number[] = [];
  await onFreePort(4000, async (port) => {
    asked.push(port);
    if (port < 4002) throw new Error('no', { cause: Object.assign(new Error('x'), { code: 'EADDRINUSE' }) });
  });
  expect(asked).toEqual([4000, 4001, 4002]);
});

it('gives up with the last reason when every port in reach is taken, and at once on another error', async () => {
  const refused = Object.assign(new Error('taken'), { code: 'EADDRINUSE' });
  await expect(onFreePort(4000, () => Promise.reject(refused), 3)).rejects.toBe(refused);
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
  let calls = 0;
  await expect(
    onFreePort(80, () => {
      calls++;
      return Promise.reject(denied);
    }),
  ).rejects.toBe(denied);
  expect(calls).toBe(1);
});

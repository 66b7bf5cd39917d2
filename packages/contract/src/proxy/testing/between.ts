import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach } from 'vitest';
import {
  type ContractProxy,
  type ContractProxyOptions,
  type ProxyReport,
  startContractProxy,
} from '../proxy.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** A server that does as the test says, on a port of its own, until the test ends. */
export async function serve(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  upgrade?: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<string> {
  const server = createServer(answer);
  if (upgrade !== undefined) server.on('upgrade', upgrade);
  return await listenTo(server);
}

/** Lets a server listen, until the test ends. */
export async function listenTo(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy in front of it. */
export async function between(
  upstream: string,
  options: Partial<ContractProxyOptions> = {},
): Promise<ContractProxy> {
  const proxy = await startContractProxy({ port: 0, drainSeconds: 0.1, ...options, upstream });
  ends.push(() => proxy.close());
  return proxy;
}

export const keyOfTests = 'a-key-of-tests/+1';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: Uint8Array;
}

export interface Answered {
  readonly status: number;
  readonly reason: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly rawTrailers: readonly string[];
}

/** One call, on a connection of its own, its answer as it came. */
export async function call(address: string, { method = 'GET', headers, body }: Sent = {}): Promise<Answered> {
  const answer = await open(address, { method, ...(headers && { headers }), ...(body && { body }) });
  const bytes = await buffer(answer);
  return {
    status: answer.statusCode ?? 0,
    reason: answer.statusMessage ?? '',
    rawHeaders: answer.rawHeaders,
    body: bytes,
    rawTrailers: answer.rawTrailers,
  };
}

/** The beginning of an answer. */
export function open(
  address: string,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${keyOfTests}`, ...headers },
    });
    outgoing.on('response', resolve).on('error', reject);
    outgoing.end(body);
  });
}

/** A finding in a few words. */
export function inWords({ findings }: ProxyReport): readonly string[] {
  return findings.map(({ rule, severity, operationId }) => `${severity} ${rule} ${operationId}`);
}

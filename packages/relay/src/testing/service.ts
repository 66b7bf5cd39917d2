import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { decode, encode } from '@msgpack/msgpack';
import { expect, onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import type { RelayLogEntry, RelayOptions } from '../options.ts';
import { type RunningRelay, startRelay } from '../start-relay.ts';

/** The key of the service, which may only appear in the header of its upgrade. */
export const secretKey = 'the-key-of-the-application';
export const page = 'https://app.example';

type Message = Readonly<Record<string, unknown>> & { readonly event: string };

/** A socket at either end of the relay. */
export type End = ReturnType<typeof endOf>;

/** A fake service behind a relay, driven by the test. */
export interface Service {
  readonly url: string;
  readonly ends: End[];
  /** The answer to upgrades, if they are refused. */
  refuseWith: number | 'silence' | undefined;
  /** A promise that delays upgrades. */
  gate: Promise<void> | undefined;
}

export async function startService(): Promise<Service> {
  const ends: End[] = [];
  const http = createServer();
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const sockets = new Set<Socket>();
  http.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const service: Service = {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`,
    ends,
    refuseWith: undefined,
    gate: undefined,
  };
  http.on('upgrade', async (request, socket, head) => {
    await service.gate;
    if (service.refuseWith === 'silence') return;
    if (service.refuseWith !== undefined) {
      const body = `{"message":"${secretKey} of account 77 is refused"}`;
      socket.end(
        `HTTP/1.1 ${service.refuseWith} No\r\nlocation: ${service.url}/elsewhere\r\nretry-after: 9\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      return;
    }
    server.handleUpgrade(request, socket, head, (webSocket) => ends.push(endOf(webSocket, request)));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    http.close();
  });
  return service;
}

export async function serviceEnd({ service }: { readonly service: Service }, index = 0): Promise<End> {
  await expect.poll(() => service.ends[index]).toBeDefined();
  return service.ends[index] as End;
}

export async function refusalOf(end: End): Promise<object> {
  const { code } = await end.closed;
  return { ...end.messages().find(({ event }) => event === 'error'), code };
}

export function upstreamOf({ url }: Pick<Service, 'url'>): RelayOptions['upstream'] {
  return { webSocketUrl: url, apiKey: secretKey, model: 's2-pro' };
}

export async function startTestRelay(
  options: Partial<RelayOptions> & { readonly metricsPort?: number; readonly service?: Service } = {},
) {
  const { service = await startService(), ...others } = options;
  const log: RelayLogEntry[] = [];
  const running = await startRelay({
    upstream: upstreamOf(service),
    origins: [page],
    authorize: () => ({ user: 'anna' }),
    log: (entry) => log.push(entry),
    ...others,
    limits: { drainSeconds: 0.2, ...options.limits },
  });
  onTestFinished(() => running.close());
  return { ...running, log, service };
}

/** Opens a socket to the relay as a page does. @throws with the status of a refused upgrade */
export async function openPage(
  relay: Pick<RunningRelay, 'url'>,
  options: ClientOptions & { readonly protocols?: readonly string[] } = {},
): Promise<End> {
  const { protocols = ['speech-relay'], headers, ...rest } = options;
  const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/v1/tts/live`, [...protocols], {
    ...rest,
    headers: { origin: page, ...headers },
  });
  const end = endOf(socket, undefined);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, { statusCode }) => {
      reject(new Error(`refused with ${statusCode}`));
      socket.terminate();
    });
  });
  return end;
}

export async function openSession(options?: Parameters<typeof startTestRelay>[0]) {
  const relay = await startTestRelay(options);
  const client = await openPage(relay);
  const behind = await serviceEnd(relay);
  await client.until('ready');
  return { client, behind, relay };
}

/** A raw connection: the test writes this text, or an upgrade with these fields. */
export async function openRaw(
  relay: Pick<RunningRelay, 'url'>,
  request: string | { path?: string; origin?: string; protocols?: string } = {},
): Promise<Socket> {
  const { hostname, port } = new URL(relay.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  if (typeof request === 'string') socket.write(request);
  else {
    const { path = '/v1/tts/live', origin = page, protocols = 'speech-relay' } = request;
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\norigin: ${origin}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
        'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        `sec-websocket-protocol: ${protocols}\r\nsec-websocket-extensions: permessage-deflate\r\n\r\n`,
    );
  }
  return socket;
}

export const start = (request: object = {}): object => ({
  event: 'start',
  request: { text: '', ...request },
});
export const text = (words: string): object => ({ event: 'text', text: words });
export const audio = (bytes: number): object => ({ event: 'audio', audio: new Uint8Array(bytes) });
export const stop = { event: 'stop' };
export const finish = { event: 'finish', reason: 'stop' };

function endOf(socket: WebSocket, upgrade: IncomingMessage | undefined) {
  const frames: Buffer[] = [];
  socket.on('message', (data: Buffer) => frames.push(data));
  socket.on('error', () => {});
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const messages = (): Message[] => frames.map((frame) => decode(frame) as Message);
  return {
    socket,
    upgrade,
    frames,
    messages,
    closed,
    /** Resolves to the first message with this event. */
    async until(event: string): Promise<Message> {
      for (;;) {
        const match = messages().find((message) => message.event === event);
        if (match) return match;
        if (socket.readyState === WebSocket.CLOSED) throw new Error(`closed before ${event}`);
        await Promise.race([once(socket, 'message'), closed]);
      }
    },
    send(...all: readonly object[]): void {
      for (const message of all) socket.send(encode(message));
    },
  };
}

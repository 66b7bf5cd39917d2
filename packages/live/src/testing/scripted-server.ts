import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { decode, encode } from '@msgpack/msgpack';
import { TimeoutError } from '@speech-api/client';
import { expect, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createConnectLive } from '../connection.ts';
import type { LiveRequest } from '../messages.ts';
import { openNodeSocket } from '../node-socket.ts';
import type { LiveOptions, LiveSource } from '../options.ts';
import type { OpenSocket } from '../socket.ts';
import { openWebSocket } from '../web-socket.ts';

/** A message of the client, as it came. */
export type Received = Readonly<Record<string, unknown>> & { readonly event: string };

/** One socket of the server, played by a test. */
export interface Peer {
  readonly socket: WebSocket;
  readonly upgrade: IncomingMessage;
  readonly received: readonly Received[];
  /** Settles when this many messages with the event have arrived, earlier ones included. */
  until(event: string, count?: number): Promise<void>;
  send(message: object): void;
  audio(bytes: number | Uint8Array): void;
  finish(reason?: string): void;
  readonly closed: Promise<number>;
}

/** Behaviour of the server in a test. */
export interface Script {
  readonly onPeer?: (peer: Peer) => void | Promise<void>;
  /** Answers the upgrade with this in place of a socket. */
  readonly refuse?: (request: IncomingMessage, socket: Duplex) => void;
  readonly protocol?: string;
}

/** A server that does what a test says, right or wrong. It is made with the libraries alone. */
export async function startScript(script: Script): Promise<{
  readonly source: LiveSource;
  readonly url: string;
  readonly peers: Peer[];
  readonly connections: () => Promise<number>;
}> {
  const peers: Peer[] = [];
  const http = createServer((_request, response: ServerResponse) => response.writeHead(426).end());
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: () => script.protocol ?? false,
  });
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {});
    if (script.refuse) return script.refuse(request, socket);
    // What a script sends at once comes in one packet with the answer to the upgrade.
    socket.cork();
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const peer = createPeer(webSocket, request);
      peers.push(peer);
      void script.onPeer?.(peer);
    });
    socket.uncork();
  });
  const countConnections = promisify(http.getConnections.bind(http));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    for (const { socket } of peers) socket.terminate();
    http.closeAllConnections();
    http.close();
  });
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    source: {
      settings: {
        webSocketUrl: url,
        model: 's2-pro',
        authorization: async () => 'Bearer test-key',
        redact: (text) => text.replaceAll('test-key', '[key]'),
      },
    },
    url,
    peers,
    connections: () => countConnections(),
  };
}

/** Answers an upgrade like any HTTP request. */
export function answer(socket: Duplex, status: number, body: string, headers: readonly string[] = []): void {
  const lines = [`HTTP/1.1 ${status} Refused`, `content-length: ${Buffer.byteLength(body)}`, ...headers];
  socket.end(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`);
}

/** A server that acts on each socket once a message with this event has arrived. */
export function after(event: string, act: (peer: Peer) => unknown): Script {
  return {
    onPeer: async (peer) => {
      await peer.until(event);
      await act(peer);
    },
  };
}

/** A server that speaks every text as this many bytes a character, and finishes. */
export function speaks(bytesPerCharacter: number): Script {
  return {
    onPeer: async (peer) => {
      peer.socket.on('message', (data) => {
        const { event, text } = decode(data as Buffer) as Received;
        if (event === 'text' && text !== '') peer.audio(String(text).length * bytesPerCharacter);
        if (event === 'stop') peer.finish();
      });
    },
  };
}

/** All audio of a speech, joined. */
export async function collect(speech: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of speech) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The error that a promise rejects with; fails when it resolves. */
export async function failureOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected an error, and there was none');
}

function createPeer(socket: WebSocket, upgrade: IncomingMessage): Peer {
  const received: Received[] = [];
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.on('message', (data) => received.push(decode(data as Buffer) as Received));
  socket.on('error', () => {});
  const peer: Peer = {
    socket,
    upgrade,
    received,
    closed,
    async until(event, count = 1) {
      while (received.filter((message) => message.event === event).length < count)
        await once(socket, 'message');
    },
    send: (message) => socket.send(encode(message)),
    audio: (bytes) =>
      peer.send({ event: 'audio', audio: typeof bytes === 'number' ? new Uint8Array(bytes).fill(7) : bytes }),
    finish: (reason = 'stop') => peer.send({ event: 'finish', reason }),
  };
  return peer;
}

/** Makes `connectTo` for a socket: a connection to a server that does what a test says. The test closes it. */
function connectorOf(openSocket: OpenSocket) {
  const connect = createConnectLive(openSocket);
  return async (script: Script, request?: LiveRequest, options?: LiveOptions) => {
    const server = await startScript(script);
    const connection = await connect(server.source, request, options);
    onTestFinished(() => connection.close());
    return { ...server, connection };
  };
}

export const connectTo: ReturnType<typeof connectorOf> = connectorOf(openNodeSocket);

/** The sockets of Node, for tests that hold for both: `connectTo`, and `connect` for a source. */
export const openers = [
  ['ws', connectTo, createConnectLive(openNodeSocket)],
  ['the global WebSocket', connectorOf(openWebSocket), createConnectLive(openWebSocket)],
] as const;

/** Settles when an utterance elsewhere has met its idle deadline: one that began before would have, too. */
export async function deadlinePasses(idle: number): Promise<void> {
  const { connection } = await connectTo({}, {}, { timeouts: { idle } });
  expect(await failureOf(collect(connection.speak('Hello.')))).toBeInstanceOf(TimeoutError);
}

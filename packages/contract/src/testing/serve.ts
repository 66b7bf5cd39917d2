import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Surroundings } from '../command/command.ts';
import { main } from '../main.ts';

/** Starts a server with the test's handler on its own port, until the test ends. */
export async function serve(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  upgrade?: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<string> {
  const server = createServer(answer);
  if (upgrade !== undefined) server.on('upgrade', upgrade);
  return await listenTo(server);
}

/** Answers with JSON. */
export function answerJson(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: object = {},
): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** An address at which nothing listens any more. */
export async function addressOfNobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
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
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The oldest supported Node reads TypeScript only when told to, and warns. */
export const runsTypeScript = ['--experimental-strip-types', '--no-warnings'];

/** Runs a command line as a terminal would, and returns what it wrote. */
export async function runCommand(words: readonly string[], environment: Surroundings['environment'] = {}) {
  let out = '';
  let error = '';
  const code = await main(words, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    environment,
  });
  return { code, out, error };
}

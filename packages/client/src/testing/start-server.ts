import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it arrived, its body read to the end. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Every request so far, in order of arrival. */
  readonly seen: readonly SeenRequest[];
  /** Sockets that are open now. */
  openSockets(): number;
}

export type Answer = (request: SeenRequest, response: ServerResponse) => unknown;

/** A real HTTP server on a free port for one test; it answers by script and goes away with the test. */
export async function startServer(answer: Answer): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    try {
      for await (const part of incoming) parts.push(part);
    } catch {
      return;
    }
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(parts) };
    seen.push(request);
    answer(request, response);
  });
  let sockets = 0;
  server.on('connection', (socket) => {
    sockets += 1;
    socket.on('close', () => {
      sockets -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, seen, openSockets: () => sockets };
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

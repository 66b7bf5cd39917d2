import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';

/** The built site, and the address of the sandbox that was started beside it. */
export interface DocsServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the built site on the loopback interface.
 * `/sandbox.json` is the one answer that is not a file: it tells the playground where its sandbox and relay listen.
 */
export async function serveDocs(options: {
  directory: string;
  port: number;
  /** Asked at each call, since a sandbox may move while the site stays up. */
  sandboxUrl: () => string;
  /** The relay is started after the site, whose origin it has to know. */
  relayUrl?: () => string | undefined;
}): Promise<DocsServer> {
  const notFoundPage = await readFile(join(options.directory, '404.html'));
  const files = sirv(options.directory, {
    etag: true,
    onNoMatch: (_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(notFoundPage);
    },
  });
  const server = createServer((request, response) => {
    if (request.url === '/sandbox.json') {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify({ baseUrl: options.sandboxUrl(), relayUrl: options.relayUrl?.() }));
      return;
    }
    files(request, response);
  });
  const port = await listenOnLoopback(server, options.port);
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

/** Listens on 127.0.0.1, and answers the port; 0 asks for any free one. */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Ends it with the connections that are still open. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Tries ports upwards from `first`, so that a second copy beside a running one simply gets the next. */
export async function onFreePort<Server>(
  first: number,
  listen: (port: number) => Promise<Server>,
  attempts = 20,
): Promise<Server> {
  for (let port = first; ; port++) {
    try {
      return await listen(port);
    } catch (error) {
      if (!isPortTaken(error) || port + 1 >= first + attempts) throw error;
    }
  }
}

export function isPortTaken(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === 'EADDRINUSE') return true;
  }
  return false;
}

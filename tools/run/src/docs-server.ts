import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { closeServer, listenOnLoopback } from './loopback-server.ts';

/** The built site, and the address of the sandbox that was started beside it. */
export interface DocsServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the built site on the loopback interface.
 * `/sandbox.json` is the one answer that is not a file: it tells the playground where its sandbox listens.
 */
export async function serveDocs(options: {
  directory: string;
  port: number;
  /** Asked at each call, since a sandbox may move while the site stays up. */
  sandboxUrl: () => string;
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
      response.end(JSON.stringify({ baseUrl: options.sandboxUrl() }));
      return;
    }
    files(request, response);
  });
  const port = await listenOnLoopback(server, options.port);
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

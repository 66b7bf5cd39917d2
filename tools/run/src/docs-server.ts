import { createServer, type Server } from 'node:http';
import sirv from 'sirv';

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
  sandboxUrl: string;
}): Promise<DocsServer> {
  const files = sirv(options.directory, {
    etag: true,
    onNoMatch: (_request, response) => {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found\n');
    },
  });
  const server = createServer((request, response) => {
    if (request.url === '/sandbox.json') {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify({ baseUrl: options.sandboxUrl }));
      return;
    }
    files(request, response);
  });
  await listen(server, options.port);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

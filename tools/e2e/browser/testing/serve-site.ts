import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';

const directory = fileURLToPath(new URL('../../../../apps/docs/dist/', import.meta.url));

/** The built site, on a port of its own. */
export interface ServedSite {
  readonly url: string;
  /** What `/sandbox.json` says; a test may point it elsewhere before it opens a page. */
  sandboxUrl: string;
  close(): Promise<void>;
}

/** Serves the built site the way `npm start` does. */
export async function serveSite(sandboxUrl: string): Promise<ServedSite> {
  if (!existsSync(`${directory}index.html`)) {
    throw new Error('the site is not built; run `npx turbo run build --filter=@speech-api/docs`');
  }
  const files = sirv(directory, { etag: true });
  const server = createServer((request, response) => {
    if (request.url === '/sandbox.json') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ baseUrl: site.sandboxUrl }));
      return;
    }
    files(request, response, () => {
      response.statusCode = 404;
      response.end();
    });
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const site: ServedSite = { url: `http://127.0.0.1:${port}`, sandboxUrl, close: () => closeServer(server) };
  return site;
}

export function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

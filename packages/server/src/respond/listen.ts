import type { AddressInfo, Server } from 'node:net';

/** Where a server listens. */
export interface ListeningAt {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
}

/**
 * Starts listening.
 *
 * @param port 0 for any free port
 * @throws Error with the code of the system, such as `EADDRINUSE`, when it cannot
 */
export async function listen(server: Server, port: number, host: string): Promise<ListeningAt> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: given } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${given}`, port: given };
}

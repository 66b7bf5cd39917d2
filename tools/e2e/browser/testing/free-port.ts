import { createServer } from 'node:http';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';

/** A port that was just closed, so that nobody listens there. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  await closeServer(server);
  return port;
}

/** An address of this machine that refuses connections. */
export const silentAddress = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;

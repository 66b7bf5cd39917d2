import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The number of parts that the journal in a folder has kept. */
export async function finishedParts(journal: string): Promise<number> {
  return (await readdir(journal).catch(() => [])).filter((name) => name.endsWith('.part')).length;
}

/** Passes calls on as they are, and counts them. */
export async function startCountingProxy(
  upstream: string,
  onBody: (body: Buffer) => void = () => {},
): Promise<{ readonly url: string; calls(): number; close(): void }> {
  let calls = 0;
  const server = createServer((incoming, answer) => {
    calls += 1;
    const { method, url = '' } = incoming;
    const { host: _, ...headers } = incoming.headers;
    // A connection of its own: one that is kept may be closed by the service just when it is used again.
    const options = { method, headers, agent: false };
    const outgoing = request(new URL(url, upstream), options, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => onBody(Buffer.concat(pieces)));
    incoming.pipe(outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => void server.close().closeAllConnections();
  return { url, calls: () => calls, close };
}

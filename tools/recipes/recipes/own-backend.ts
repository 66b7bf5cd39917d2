// # A page that speaks through your own backend
// The backend adds the key and decides who may speak; the page in own-backend-page.ts uses the client as it is.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const service = process.env.SPEECH_BASE_URL ?? '';
const authorization = `Bearer ${process.env.SPEECH_API_KEY}`;
const maximumBody = 16_000;

/** Put the check of your own sessions here. Without one, every visitor speaks on your account. */
function isSignedIn(request: IncomingMessage): boolean {
  return /(?:^|; )session=./.test(request.headers.cookie ?? '');
}

const server = createServer(async (request, response) => {
  // One operation and no other: what is not listed here, a page cannot do.
  if (request.method !== 'POST' || request.url !== '/speech/v1/tts') return response.writeHead(404).end();
  if (!isSignedIn(request)) return response.writeHead(401).end();
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (!(length <= maximumBody)) return response.writeHead(413, { connection: 'close' }).end();
  const left = new AbortController();
  response.once('close', () => left.abort());
  try {
    const answer = await fetch(`${service}/v1/tts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', model: 's2-pro' },
      body: Buffer.concat(await request.toArray()),
      redirect: 'error',
      signal: left.signal,
    });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
    });
    await pipeline(Readable.from(answer.body ?? []), response);
  } catch {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  }
});

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
  ServerResponse,
} from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';

/** Sees what passes between a client and a server. Nothing waits for it: it only looks, and returns at once. */
export interface Watcher {
  /** Bytes of the request's body or, once a socket is open, of the client. */
  fromClient(bytes: Buffer): void;
  answered(answer: IncomingMessage): void;
  /** Bytes of the answer's body or, once a socket is open, of the server. */
  fromServer(bytes: Buffer): void;
  /** Told once. */
  ended(how: PassEnd, failure?: Error): unknown;
}

/**
 * `complete`: the answer is whole, or a side of a socket has closed. `cut`: the server broke its answer off.
 * `unanswered`: no answer came. `abandoned`: the client left before the answer was whole.
 */
export type PassEnd = 'complete' | 'cut' | 'unanswered' | 'abandoned';

/** For calls that are not judged. */
export const unwatched: Watcher = {
  fromClient: () => {},
  answered: () => {},
  fromServer: () => {},
  ended: () => {},
};

/** Bytes of the headers of a request or an answer: more than most servers accept, so that the server decides. */
export const headerBytes = 65_536;

// A connection for each call: one that a server closes while it is used again would look like a lost answer, and a
// request is never sent twice. It is asked to stay open until the call is over, so that an answer that comes before the
// whole request was read is not lost with the connection.
class PlainOnce extends PlainAgent {
  override keepSocketAlive = () => false;
}
class SecureOnce extends SecureAgent {
  override keepSocketAlive = () => false;
}
const agents = {
  'http:': new PlainOnce({ keepAlive: true }),
  'https:': new SecureOnce({ keepAlive: true }),
};

/**
 * Passes one request to the server and its answer to the client, each piece as it comes.
 *
 * When one side reads slowly, the other one is slowed down; when one side leaves, the other one is ended.
 */
export function passCall(
  upstream: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  watcher: Watcher,
  explain: (failure: Error) => string,
): void {
  const call = ask(upstream, incoming, headersOfRequest(incoming, upstream));
  passAnswer(call, incoming, outgoing, watcher, explain);
  call.on('continue', () => outgoing.writeContinue());
  incoming.on('error', () => {});
  incoming.on('data', (bytes: Buffer) => watcher.fromClient(bytes));
  incoming.on('end', () => {
    call.addTrailers(pairsOf(incoming.rawTrailers));
    call.end();
  });
  if (hasBody(incoming)) writeHeadNow(call);
  incoming.pipe(call, { end: false });
  // A server may answer and leave before it has read everything: the client reads the answer once it has sent the rest.
  call.on('close', () => {
    incoming.unpipe(call);
    incoming.resume();
  });
}

/** Passes the request for a socket and, where the server opens one, the bytes of both directions. */
export function passUpgrade(
  upstream: URL,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  watcher: Watcher,
  explain: (failure: Error) => string,
): void {
  const call = ask(upstream, incoming, withHost(incoming.rawHeaders, upstream));
  socket.on('error', () => {});
  const leave = () => {
    watcher.ended('abandoned');
    call.destroy();
  };
  socket.once('close', leave);
  call.on('upgrade', (answer, peer, rest) => {
    socket.off('close', leave);
    watcher.answered(answer);
    socket.write(headOf(answer), 'latin1');
    joinSockets(socket, peer, { head, rest }, watcher);
  });
  const outgoing = new ServerResponse(incoming);
  call.on('response', () => attach(outgoing, socket));
  call.on('error', () => attach(outgoing, socket));
  passAnswer(call, incoming, outgoing, watcher, explain);
  call.end();
}

/** Lets a refusal, of the server or of the proxy, be written to the socket as to any other request. */
function attach(outgoing: ServerResponse, socket: Duplex): void {
  if (outgoing.socket !== null || socket.destroyed) return;
  outgoing.shouldKeepAlive = false;
  // The socket of a server is one; node:http gives it the type of any stream.
  outgoing.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  outgoing.on('finish', () => socket.end());
}

function ask(upstream: URL, { method, url = '/' }: IncomingMessage, headers: readonly string[]) {
  const isSecure = upstream.protocol === 'https:';
  return (isSecure ? secureRequest : plainRequest)(upstream, {
    method,
    path: pathBelow(upstream, url),
    headers,
    agent: isSecure ? agents['https:'] : agents['http:'],
    maxHeaderSize: headerBytes,
  });
}

/** The path of a request below the base address of the server; another host in the request line changes nothing. */
export function pathBelow(upstream: URL, target: string): string {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/?]*(.*)$/i.exec(target)?.[1] ?? target;
  const base = upstream.pathname.replace(/\/+$/, '');
  return path.startsWith('/') ? base + path : path === '' || path.startsWith('?') ? `${base}/${path}` : path;
}

function passAnswer(
  call: ClientRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  watcher: Watcher,
  explain: (failure: Error) => string,
): void {
  let isAnswered = false;
  let isWhole = false;
  outgoing.on('error', () => {});
  outgoing.on('close', () => {
    if (isWhole || outgoing.writableFinished) return;
    watcher.ended('abandoned');
    call.destroy();
  });
  call.on('error', (failure) => {
    // A failure after the answer has begun shows in the answer.
    if (isAnswered || outgoing.destroyed) return;
    watcher.ended('unanswered', failure);
    isWhole = true;
    outgoing.writeHead(502, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ status: 502, message: explain(failure) }));
  });
  call.on('response', (answer) => {
    isAnswered = true;
    watcher.answered(answer);
    const cut = () => {
      if (isWhole) return;
      isWhole = true;
      watcher.ended('cut');
      // After what has come: the client sees where the server broke off.
      outgoing.socket?.destroySoon();
    };
    answer.on('error', cut);
    answer.on('close', cut);
    outgoing.sendDate = false;
    outgoing.writeHead(
      answer.statusCode ?? 502,
      answer.statusMessage ?? '',
      headersOfAnswer(answer, incoming.httpVersion),
    );
    writeHeadNow(outgoing);
    answer.on('data', (bytes: Buffer) => watcher.fromServer(bytes));
    answer.on('end', () => {
      if (!answer.complete) return;
      isWhole = true;
      watcher.ended('complete');
      outgoing.addTrailers(pairsOf(answer.rawTrailers));
      outgoing.end();
    });
    answer.pipe(outgoing, { end: false });
  });
}

/** Sends the headers before the body. `flushHeaders` would write them as UTF-8, and they are bytes. */
function writeHeadNow(message: ClientRequest | ServerResponse): void {
  message.write('', 'latin1');
}

/** Both directions of an open socket. */
function joinSockets(
  client: Duplex,
  server: Duplex,
  { head, rest }: { readonly head: Buffer; readonly rest: Buffer },
  watcher: Watcher,
): void {
  const join = (from: Duplex, to: Duplex, first: Buffer, see: (bytes: Buffer) => void) => {
    if (first.length > 0) {
      see(first);
      to.write(first);
    }
    from.on('data', see);
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      // Data that was read before the close is still written.
      if ('destroySoon' in to && typeof to.destroySoon === 'function') to.destroySoon();
      else to.end();
      watcher.ended('complete');
    });
  };
  join(client, server, head, (bytes) => watcher.fromClient(bytes));
  join(server, client, rest, (bytes) => watcher.fromServer(bytes));
}

/** The head of an answer as it came. */
function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = pairsOf(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/${httpVersion} ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`;
}

/** Headers about one connection (RFC 9110, section 7.6.1): a call that passes has two of them. */
const ofConnection = ['connection', 'proxy-connection', 'keep-alive', 'te', 'upgrade'];

function headersOfRequest(incoming: IncomingMessage, upstream: URL): readonly string[] {
  const headers = withoutHops(withHost(incoming.rawHeaders, upstream), ofConnection);
  // Without it node:http announces chunks for a body that does not come.
  return hasBody(incoming) || isBodiless(incoming.method) ? headers : [...headers, 'Content-Length', '0'];
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers;
}

function isBodiless(method: string | undefined): boolean {
  return ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(method ?? '');
}

function headersOfAnswer({ rawHeaders, headers }: IncomingMessage, httpVersion: string): string[] {
  // The header Upgrade tells what to ask for next, so it is for the client.
  const hops = ofConnection.filter((name) => name !== 'upgrade');
  const isChunked = 'transfer-encoding' in headers && httpVersion !== '1.0';
  const left = withoutHops(rawHeaders, isChunked ? hops : [...hops, 'transfer-encoding', 'trailer']);
  return 'upgrade' in headers ? [...left, 'Connection', 'Upgrade'] : left;
}

/** Headers as they came, without those of a connection and those that the header Connection names. */
function withoutHops(rawHeaders: readonly string[], hops: readonly string[]): string[] {
  const pairs = pairsOf(rawHeaders);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((each) => each.trim().toLowerCase()))
    .filter((name) => name !== 'close' && name !== 'transfer-encoding' && name !== 'upgrade');
  const left = new Set([...hops, ...named]);
  return pairs.filter(([name]) => !left.has(name.toLowerCase())).flat();
}

/** The client speaks to this proxy, and the server expects its own name. Another Host beside it stays as it is. */
function withHost(rawHeaders: readonly string[], upstream: URL): readonly string[] {
  const pairs = pairsOf(rawHeaders);
  const own = pairs.find(([name]) => name.toLowerCase() === 'host')?.[1];
  return pairs.flatMap(([name, value]) =>
    name.toLowerCase() === 'host' && value === own ? [name, upstream.host] : [name, value],
  );
}

function pairsOf(flat: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: flat.length >> 1 }, (_, index) => [
    flat[2 * index] ?? '',
    flat[2 * index + 1] ?? '',
  ]);
}

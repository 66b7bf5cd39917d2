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
  answered(answer: IncomingMessage): void;
  /** Bytes of the body of the request or the answer or, once a socket is open, of one side of it. */
  passed(from: Side, bytes: Buffer): void;
  /** May be called more than once; only the first call counts. */
  ended(how: PassEnd, failure?: string): void;
}

export type Side = 'client' | 'server';

/**
 * `complete`: the answer is whole, or a side of a socket has closed. `cut`: the server broke its answer off.
 * `unanswered`: no answer came. `abandoned`: the client left before the answer was whole.
 */
export type PassEnd = 'complete' | 'cut' | 'unanswered' | 'abandoned';

/** One request on its way. */
interface Passing {
  readonly upstream: URL;
  readonly incoming: IncomingMessage;
  /** Left out for calls that are not judged. */
  readonly watcher: Watcher | undefined;
  readonly explain: (failure: Error) => string;
}

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
export function passCall(passing: Passing, outgoing: ServerResponse): void {
  const { incoming, upstream, watcher } = passing;
  const call = ask(upstream, incoming, headersOfRequest(incoming, upstream));
  passAnswer(passing, call, outgoing);
  call.on('continue', () => outgoing.writeContinue());
  incoming.on('error', () => {});
  incoming.on('data', (bytes: Buffer) => watcher?.passed('client', bytes));
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
export function passUpgrade(passing: Passing, socket: Duplex, head: Buffer): void {
  const { incoming, upstream, watcher } = passing;
  const call = ask(upstream, incoming, withHost(incoming.rawHeaders, upstream));
  socket.on('error', () => {});
  const leave = () => {
    watcher?.ended('abandoned');
    call.destroy();
  };
  socket.once('close', leave);
  call.on('upgrade', (answer, peer, rest) => {
    socket.off('close', leave);
    watcher?.answered(answer);
    socket.write(headOf(answer), 'latin1');
    join('client', socket, peer, head, watcher);
    join('server', peer, socket, rest, watcher);
  });
  const outgoing = new ServerResponse(incoming);
  call.on('response', () => attach(outgoing, socket));
  call.on('error', () => attach(outgoing, socket));
  passAnswer(passing, call, outgoing);
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
  { incoming, watcher, explain }: Passing,
  call: ClientRequest,
  outgoing: ServerResponse,
): void {
  let isOver = false;
  outgoing.on('error', () => {});
  outgoing.on('close', () => {
    if (isOver || outgoing.writableFinished) return;
    watcher?.ended('abandoned');
    call.destroy();
  });
  call.on('error', (failure) => {
    // A failure after the answer has begun shows in the answer.
    if (outgoing.headersSent || outgoing.destroyed) return;
    isOver = true;
    const why = explain(failure);
    watcher?.ended('unanswered', why);
    outgoing.writeHead(502, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ status: 502, message: `The proxy got no answer: ${why}` }));
  });
  call.on('response', (answer) => {
    watcher?.answered(answer);
    const { statusCode = 502, statusMessage = '' } = answer;
    outgoing.sendDate = false;
    outgoing.writeHead(statusCode, statusMessage, headersOfAnswer(answer, incoming.httpVersion));
    writeHeadNow(outgoing);
    answer.on('data', (bytes: Buffer) => watcher?.passed('server', bytes));
    answer.on('error', () => {});
    answer.on('close', () => {
      if (isOver) return;
      isOver = true;
      watcher?.ended('cut');
      // After what has come: the client sees where the server broke off.
      outgoing.socket?.destroySoon();
    });
    answer.on('end', () => {
      if (!answer.complete) return;
      isOver = true;
      watcher?.ended('complete');
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

/** One direction of an open socket. */
function join(side: Side, from: Duplex, to: Duplex, first: Buffer, watcher: Watcher | undefined): void {
  if (first.length > 0) {
    watcher?.passed(side, first);
    to.write(first);
  }
  from.on('data', (bytes: Buffer) => watcher?.passed(side, bytes));
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => {
    // Data that was read before the close is still written.
    if ('destroySoon' in to && typeof to.destroySoon === 'function') to.destroySoon();
    else to.end();
    watcher?.ended('complete');
  });
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
  const isBodiless = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(incoming.method ?? '');
  return hasBody(incoming) || isBodiless ? headers : [...headers, 'Content-Length', '0'];
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers;
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
    .filter((name) => !['close', 'transfer-encoding', 'upgrade'].includes(name));
  return pairs.filter(([name]) => ![...hops, ...named].includes(name.toLowerCase())).flat();
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

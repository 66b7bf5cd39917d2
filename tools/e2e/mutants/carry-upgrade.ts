import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import {
  type CarriedAnswer,
  changed,
  interferenceWith,
  type LiveChange,
  type LiveMessage,
  type ProxyState,
  readAnswer,
  readRequest,
} from './carried.ts';

/** Carries a WebSocket: the upgrade, and the messages of both directions after it. */
export async function carryUpgrade(
  state: ProxyState,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  const original = await readRequest(incoming);
  const interference = interferenceWith(state, original);
  const sent = changed(state, original, interference?.request?.(original));
  const upstream = connect(new URL(sent.target, state.target), sent.headers);
  socket.once('close', () => upstream.terminate());
  upstream.on('error', () => socket.destroy());
  const answer = await new Promise<CarriedAnswer>((resolve, reject) => {
    upstream.once('upgrade', ({ headers }) => resolve({ status: 101, headers: { ...headers }, body: empty }));
    upstream.once('unexpected-response', (_request, refusal) => readAnswer(refusal).then(resolve, reject));
    upstream.once('error', reject);
  });
  const final = changed(state, answer, interference?.answer?.(answer, original));
  if (final.status !== 101) {
    upstream.terminate();
    // The body is not chunked again; the end of the connection is its end.
    const { 'transfer-encoding': _coding, ...headers } = final.headers;
    const lines = linesOf({ ...headers, 'content-length': String(final.body.length), connection: 'close' });
    socket.write([`HTTP/1.1 ${final.status} ${STATUS_CODES[final.status]}`, ...lines, '\r\n'].join('\r\n'));
    socket.end(final.body);
    return;
  }
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('headers', (lines) => {
    const accept = 'sec-websocket-accept';
    const own = lines.find((line) => line.toLowerCase().startsWith(accept))?.split(': ')[1];
    const isOwn = final.headers[accept] === answer.headers[accept];
    lines.splice(1, lines.length, ...linesOf(isOwn ? { ...final.headers, [accept]: own } : final.headers));
  });
  server.handleUpgrade(incoming, socket, head, (peer) => {
    peer.on('error', () => upstream.terminate());
    const { message, sent: other } = interference?.live?.() ?? {};
    carryMessages(state, upstream, peer, message);
    carryMessages(state, peer, upstream, other);
  });
}

const empty = Buffer.alloc(0);

function connect(url: URL, headers: IncomingMessage['headers']): WebSocket {
  const own = /^(host|connection|upgrade|sec-websocket-.*)$/;
  const others = Object.entries(headers).filter(([name]) => !own.test(name));
  url.protocol = 'ws:';
  return new WebSocket(url, { headers: Object.fromEntries(others), perMessageDeflate: false });
}

const linesOf = (headers: CarriedAnswer['headers']): string[] =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));

function carryMessages(
  state: ProxyState,
  from: WebSocket,
  to: WebSocket,
  change: LiveChange['message'],
): void {
  let messages = 0;
  const carry = (message: LiveMessage): void => {
    const sent = change?.(message, messages++) ?? [message];
    if (!isDeepStrictEqual(sent, [message])) state.changes++;
    for (const { kind, payload } of sent) {
      if (kind !== 'close') to.send(payload, { binary: kind === 'binary' });
      else if (payload.length > 0) to.close(payload.readUInt16BE(), payload.subarray(2));
      else to.close();
    }
  };
  from.on('message', (data: RawData, isBinary) =>
    carry({ kind: isBinary ? 'binary' : 'text', payload: data as Buffer }),
  );
  from.on('close', (code, reason) => {
    // Without a close frame, and with one that has no code: neither number can be sent.
    if (code === 1006) return to.terminate();
    const payload = Buffer.alloc(code === 1005 ? 0 : 2);
    if (payload.length > 0) payload.writeUInt16BE(code);
    carry({ kind: 'close', payload: Buffer.concat([payload, reason]) });
  });
}

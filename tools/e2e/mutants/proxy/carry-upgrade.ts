import { type IncomingMessage, request, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CarriedAnswer, LiveChange, LiveMessage } from './carried.ts';
import { createFrameReader, writeFrame } from './frames.ts';
import {
  attempt,
  changeAnswer,
  changeRequest,
  interferenceWith,
  type ProxyState,
  readAnswer,
  readRequest,
} from './start-proxy.ts';

/** Carries a WebSocket: the upgrade, and both directions after it, piped where nobody interferes. */
export async function carryUpgrade(
  state: ProxyState,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  const interference = interferenceWith(state, incoming);
  const original = await readRequest(incoming);
  const carried = interference === undefined ? original : changeRequest(state, interference, original);
  const upstream = request(new URL(carried.target, state.target), {
    agent: false,
    method: carried.method,
    // Without an offer nobody compresses, and frames can be read.
    headers:
      interference === undefined ? carried.headers : without(carried.headers, 'sec-websocket-extensions'),
  });
  socket.once('close', () => upstream.destroy());
  const answered = new Promise<Answered>((resolve, reject) => {
    upstream.once('upgrade', (answer, peer, rest) => resolve({ answer, peer, rest }));
    upstream.once('response', (answer) => resolve({ answer }));
    upstream.once('error', reject);
  });
  upstream.end();
  const { answer, peer, rest } = await answered;
  const given: CarriedAnswer =
    peer === undefined
      ? await readAnswer(answer)
      : { status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.alloc(0) };
  const changed = interference === undefined ? given : changeAnswer(state, interference, given, original);
  socket.write(headOf(changed));
  if (peer === undefined || rest === undefined || changed.status !== 101) {
    peer?.destroy();
    socket.end(changed.body);
    return;
  }
  const change = interference?.live?.();
  if (change === undefined) {
    join(socket, peer, [head, rest]);
    return;
  }
  carryFrames(state, { from: 'server', source: peer, sink: socket, first: rest, change: change.message });
  carryFrames(state, { from: 'client', source: socket, sink: peer, first: head, change: change.sent });
}

interface Answered {
  readonly answer: IncomingMessage;
  readonly peer?: Duplex;
  readonly rest?: Buffer;
}

function without<Value>(headers: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  const { [name]: _left, ...others } = headers;
  return others;
}

function headOf({ status, headers, body }: CarriedAnswer): string {
  const sent: Record<string, unknown> = { ...headers };
  // What follows is not chunked again; the end of the connection is the end of the body.
  delete sent['transfer-encoding'];
  if (status !== 101) Object.assign(sent, { 'content-length': body.length, connection: 'close' });
  const lines = Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}

/** Two sockets as one. */
function join(socket: Duplex, peer: Duplex, [toServer, toClient]: readonly [Buffer, Buffer]): void {
  peer.on('error', () => peer.destroy());
  peer.once('close', () => socket.destroy());
  socket.once('close', () => peer.destroy());
  peer.write(toServer);
  socket.write(toClient);
  peer.pipe(socket);
  socket.pipe(peer);
}

interface Direction {
  readonly from: 'server' | 'client';
  readonly source: Duplex;
  readonly sink: Duplex;
  /** Bytes that came with the upgrade. */
  readonly first: Buffer;
  readonly change: LiveChange['message'];
}

function carryFrames(state: ProxyState, { from, source, sink, first, change }: Direction): void {
  const read = createFrameReader();
  let messages = 0;
  const take = (bytes: Buffer): void => {
    for (const taken of read(bytes)) {
      if ('raw' in taken) {
        sink.write(taken.raw);
        continue;
      }
      const { message } = taken;
      const sent = attempt(state, () => change?.(message, messages++) ?? [message]);
      if (!isUnchanged(sent, message)) state.changes++;
      for (const one of sent) sink.write(writeFrame(one, from));
    }
  };
  const takeOrBreak = (bytes: Buffer): void => {
    try {
      take(bytes);
    } catch {
      source.destroy();
    }
  };
  source.on('error', () => source.destroy());
  source.once('close', () => sink.destroy());
  source.once('end', () => sink.end());
  source.on('data', takeOrBreak);
  takeOrBreak(first);
}

const isUnchanged = (sent: readonly LiveMessage[], original: LiveMessage): boolean => {
  const [only] = sent;
  return sent.length === 1 && only?.kind === original.kind && only.payload.equals(original.payload);
};

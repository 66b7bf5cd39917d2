import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type CarriedAnswer,
  type CarriedRequest,
  changed,
  type Interference,
  interferenceWith,
  type ProxyState,
  readAnswer,
  readRequest,
} from './carried.ts';
import { carryUpgrade } from './carry-upgrade.ts';

/** A proxy that is listening. */
export interface RunningProxy {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** Interferes until the next call; without an argument everything passes as it is. */
  interfere(interference?: Interference): void;
  /** Number of requests, answers or live messages really changed since the last call of `interfere`. */
  changes(): number;
  close(): Promise<void>;
}

/** Longer than any pause of a caller: a connection that is kept must not close in the moment it is used again. */
const keepAliveMilliseconds = 3_600_000;

/** Starts a proxy in front of the server at `target`. */
export async function startProxy(target: string): Promise<RunningProxy> {
  const state: ProxyState = { target: new URL(target), interference: undefined, changes: 0 };
  const server = createServer((incoming, outgoing) => {
    // A server that is gone, a body that breaks, a mistake in a mutant: each breaks the answer.
    carry(state, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = keepAliveMilliseconds;
  server.on('upgrade', (incoming, socket, head) => {
    carryUpgrade(state, incoming, socket, head).catch(() => socket.destroy());
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    interfere: (interference) => Object.assign(state, { interference, changes: 0 }),
    changes: () => state.changes,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function carry(state: ProxyState, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const original = await readRequest(incoming);
  const interference = interferenceWith(state, original);
  const short = interference?.instead?.(original);
  if (short !== undefined) {
    state.changes++;
    return writeAnswer(outgoing, short);
  }
  const answer = await ask(state, changed(state, original, interference?.request?.(original)));
  writeAnswer(outgoing, changed(state, answer, interference?.answer?.(answer, original)));
}

async function ask({ target }: ProxyState, call: CarriedRequest): Promise<CarriedAnswer> {
  const headers = { ...call.headers };
  delete headers['transfer-encoding'];
  if (call.body.length > 0 || headers['content-length'] !== undefined) {
    headers['content-length'] = String(call.body.length);
  }
  // A connection of its own for each call, as one that is kept may be closed by the server in that moment.
  const upstream = request(new URL(call.target, target), { agent: false, method: call.method, headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve).once('error', reject);
  });
  upstream.end(call.body);
  return await readAnswer(await answered);
}

function writeAnswer(outgoing: ServerResponse, { status, headers, body, cutAfter }: CarriedAnswer): void {
  // The length that was announced is that of another body now; chunks stay chunks.
  const hasLength = headers['content-length'] !== undefined && outgoing.req.method !== 'HEAD';
  outgoing.writeHead(status, { ...headers, ...(hasLength && { 'content-length': String(body.length) }) });
  if (cutAfter === undefined) outgoing.end(body);
  else outgoing.write(body.subarray(0, cutAfter), () => outgoing.destroy());
}

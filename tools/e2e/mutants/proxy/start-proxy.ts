import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CarriedAnswer, CarriedRequest, Interference } from './carried.ts';
import { carryUpgrade } from './carry-upgrade.ts';

/** A proxy that is listening. */
export interface RunningProxy {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** Interferes from now on, until the next call; without an argument everything passes as it is. */
  interfere(interference?: Interference): void;
  /** How many requests, answers or live messages were really changed since the last call of `interfere`. */
  changes(): number;
  /** What went wrong in the interference itself since then: a mistake in a mutant, never the server's. */
  failures(): readonly string[];
  /** Stops listening and cuts what is under way. */
  close(): Promise<void>;
}

/** A connection of its own for each call: one that is kept may be closed by the server in the moment it is used again. */
const freshConnection = false;

/** For the same reason, longer than any pause of a caller: what is kept open is cut by `close`. */
const keepAliveMilliseconds = 3_600_000;

/** What the parts of the proxy share. */
export interface ProxyState {
  /** Where the server listens. */
  readonly target: URL;
  interference: Interference | undefined;
  changes: number;
  failures: string[];
}

/**
 * Starts a proxy in front of a server. What nobody interferes with is piped: the same bytes, as they come, both ways.
 *
 * @param target base URL of the server
 */
export async function startProxy(target: string): Promise<RunningProxy> {
  const state: ProxyState = {
    target: new URL(target),
    interference: undefined,
    changes: 0,
    failures: [],
  };
  const server = createServer((incoming, outgoing) => {
    // A server that is gone, or a body that breaks, breaks the answer: the caller sees what it would see without us.
    carry(state, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = keepAliveMilliseconds;
  server.on('upgrade', (incoming, socket, head) => {
    carryUpgrade(state, incoming, socket, head).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    interfere: (interference) => {
      state.interference = interference;
      state.changes = 0;
      state.failures = [];
    },
    changes: () => state.changes,
    failures: () => state.failures,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The interference that concerns a request, if there is one. */
export function interferenceWith(state: ProxyState, incoming: IncomingMessage): Interference | undefined {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', state.target);
  const call = { method: incoming.method ?? 'GET', path: pathname, query: searchParams };
  return state.interference?.concerns(call) === true ? state.interference : undefined;
}

async function carry(state: ProxyState, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const interference = interferenceWith(state, incoming);
  if (interference === undefined) return await passThrough(state, incoming, outgoing);
  const original = await readRequest(incoming);
  const short = attempt(state, () => interference.instead?.(original));
  if (short !== undefined) {
    state.changes++;
    return writeAnswer(outgoing, short);
  }
  const changed = changeRequest(state, interference, original);
  const answer = await ask(state, changed);
  writeAnswer(outgoing, changeAnswer(state, interference, answer, original));
}

/** The request that is really sent. */
export function changeRequest(
  state: ProxyState,
  interference: Interference,
  original: CarriedRequest,
): CarriedRequest {
  const changed = attempt(state, () => interference.request?.(original));
  if (changed === undefined) return original;
  if (!isSameRequest(changed, original)) state.changes++;
  return changed;
}

/** The answer that is really given. */
export function changeAnswer(
  state: ProxyState,
  interference: Interference,
  answer: CarriedAnswer,
  original: CarriedRequest,
): CarriedAnswer {
  const changed = attempt(state, () => interference.answer?.(answer, original));
  if (changed === undefined) return answer;
  if (!isSameAnswer(changed, answer)) state.changes++;
  return changed;
}

/** Runs a piece of an interference, and keeps what it throws for whoever started it. */
export function attempt<Value>(state: ProxyState, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    state.failures.push(error instanceof Error ? error.message : String(error));
    throw error;
  }
}

const isSameRequest = (one: CarriedRequest, other: CarriedRequest): boolean =>
  one.method === other.method &&
  one.target === other.target &&
  one.body.equals(other.body) &&
  isDeepStrictEqual({ ...one.headers }, { ...other.headers });

const isSameAnswer = (one: CarriedAnswer, other: CarriedAnswer): boolean =>
  one.status === other.status &&
  one.cutAfter === other.cutAfter &&
  one.body.equals(other.body) &&
  isDeepStrictEqual({ ...one.headers }, { ...other.headers });

async function passThrough(
  state: ProxyState,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const upstream = request(new URL(incoming.url ?? '/', state.target), {
    agent: freshConnection,
    method: incoming.method ?? 'GET',
    headers: pairs(incoming.rawHeaders),
  });
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) upstream.destroy();
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve).once('error', reject);
  });
  // A refusal may come before the body is read: the answer counts, not how sending ended.
  pipeline(incoming, upstream).catch(() => {});
  const answer = await answered;
  outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, pairs(answer.rawHeaders));
  outgoing.flushHeaders();
  await pipeline(answer, outgoing);
}

/** Raw headers as a flat list is what `request` takes, and what keeps case, order and repetition. */
const pairs = (rawHeaders: readonly string[]): string[] => [...rawHeaders];

/** The whole of a request. */
export async function readRequest(incoming: IncomingMessage): Promise<CarriedRequest> {
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers: incoming.headers,
    body: await buffer(incoming),
  };
}

async function ask(state: ProxyState, call: CarriedRequest): Promise<CarriedAnswer> {
  const headers = { ...call.headers };
  delete headers['transfer-encoding'];
  if (call.body.length > 0 || headers['content-length'] !== undefined) {
    headers['content-length'] = String(call.body.length);
  }
  const upstream = request(new URL(call.target, state.target), {
    agent: freshConnection,
    method: call.method,
    headers,
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve).once('error', reject);
  });
  upstream.end(call.body);
  return await readAnswer(await answered);
}

/** The whole of an answer. */
export async function readAnswer(incoming: IncomingMessage): Promise<CarriedAnswer> {
  return {
    status: incoming.statusCode ?? 502,
    headers: incoming.headers,
    body: await buffer(incoming),
  };
}

function writeAnswer(outgoing: ServerResponse, answer: CarriedAnswer): void {
  const headers = { ...answer.headers };
  // The length that was announced is that of another body now; chunks stay chunks.
  if (headers['content-length'] !== undefined) headers['content-length'] = String(answer.body.length);
  outgoing.writeHead(answer.status, headers);
  if (answer.cutAfter === undefined) {
    outgoing.end(answer.body);
    return;
  }
  outgoing.write(answer.body.subarray(0, answer.cutAfter), () => outgoing.destroy());
}

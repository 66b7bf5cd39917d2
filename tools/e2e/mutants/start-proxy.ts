import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { newTraceId, readTraceId } from '@speech-api/server';
import { headerNames } from '@speech-api/types';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { CarriedAnswer, CarriedRequest, Interference, LiveChange, LiveMessage } from './carried.ts';
import { leftOut } from './change.ts';

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

export async function startProxy(target: string): Promise<RunningProxy> {
  const carrier = new Carrier(new URL(target));
  const server = createServer((incoming, outgoing) => {
    // A server that is gone, a body that breaks, a mistake in a mutant: each breaks the answer.
    carrier.carry(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = keepAliveMilliseconds;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (incoming, socket, head) => {
    carrier.carryUpgrade(incoming, socket as Socket, head).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    interfere: (interference) => Object.assign(carrier, { interference, changes: 0 }),
    changes: () => carrier.changes,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Carries calls to the server and back, and counts what it changes on the way. */
class Carrier {
  readonly #target: URL;
  readonly #answers = new Map<string, CarriedAnswer>();
  interference: Interference | undefined;
  changes = 0;

  constructor(target: URL) {
    this.#target = target;
  }

  async carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { original, interference } = await this.#read(incoming);
    const short = interference?.instead?.(original);
    if (short !== undefined) {
      this.changes++;
      return writeAnswer(outgoing, short);
    }
    const answer = await this.#ask(this.#changed(original, interference?.request?.(original)));
    writeAnswer(outgoing, this.#changed(answer, interference?.answer?.(answer, original)));
  }

  /** Carries a WebSocket: the upgrade, and the messages of both directions after it. */
  async carryUpgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const { original, interference } = await this.#read(incoming);
    const sent = this.#changed(original, interference?.request?.(original));
    const upstream = connect(new URL(sent.target, this.#target), sent.headers);
    socket.once('close', () => upstream.terminate());
    upstream.on('error', () => socket.destroy());
    const answer = await new Promise<CarriedAnswer>((resolve, reject) => {
      const body = Buffer.alloc(0);
      upstream.once('upgrade', ({ headers }) => resolve({ status: 101, headers: { ...headers }, body }));
      upstream.once('unexpected-response', (_request, refusal) => readAnswer(refusal).then(resolve, reject));
      upstream.once('error', reject);
    });
    const final = this.#changed(answer, interference?.answer?.(answer, original));
    if (final.status !== 101) {
      upstream.terminate();
      const outgoing = new ServerResponse(incoming);
      outgoing.shouldKeepAlive = false;
      outgoing.assignSocket(socket);
      outgoing.on('finish', () => socket.end());
      return writeAnswer(outgoing, { ...final, headers: leftOut('connection')(final.headers) });
    }
    const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    server.on('headers', (lines) => {
      const accept = 'sec-websocket-accept';
      const own = lines.find((line) => line.toLowerCase().startsWith(accept))?.split(': ')[1];
      const isOwn = final.headers[accept] === answer.headers[accept];
      const headers = Object.entries(isOwn ? { ...final.headers, [accept]: own } : final.headers);
      lines.splice(1, lines.length, ...headers.map(([name, value]) => `${name}: ${value}`));
    });
    server.handleUpgrade(incoming, socket, head, (peer) => {
      peer.on('error', () => upstream.terminate());
      const { message, sent: other } = interference?.live?.() ?? {};
      this.#carryMessages(upstream, peer, message);
      this.#carryMessages(peer, upstream, other);
    });
  }

  async #read(incoming: IncomingMessage) {
    const { method = 'GET', url: target = '/', headers } = incoming;
    const original: CarriedRequest = {
      method,
      target,
      headers: { ...headers },
      body: await buffer(incoming),
    };
    const { pathname } = new URL(target, this.#target);
    const isMeant = this.interference?.concerns(method, pathname) === true;
    return { original, interference: isMeant ? this.interference : undefined };
  }

  /** The replacement, counted if it really differs; the original if there is none. */
  #changed<Carried>(original: Carried, other: Carried | undefined): Carried {
    if (other === undefined) return original;
    if (!isDeepStrictEqual(other, original)) this.changes++;
    return other;
  }

  /** Speaking takes the sandbox most of its time, and to the same request it says the same again. */
  async #ask(carried: CarriedRequest): Promise<CarriedAnswer> {
    if (carried.method !== 'POST' || !carried.target.startsWith('/v1/')) return await this.#send(carried);
    const key = keyOf(carried);
    const known = this.#answers.get(key);
    if (known !== undefined) return inNewTrace(known, carried);
    const answer = await this.#send(carried);
    // Not that it is busy, which passes.
    if (answer.status < 429) this.#answers.set(key, answer);
    return answer;
  }

  async #send({ target, method, headers: given, body }: CarriedRequest): Promise<CarriedAnswer> {
    const headers = { ...leftOut('transfer-encoding')(given) };
    if (body.length > 0 || headers['content-length'] !== undefined) {
      headers['content-length'] = String(body.length);
    }
    // A connection of its own for each call, as one that is kept may be closed by the server in that moment.
    const upstream = request(new URL(target, this.#target), { agent: false, method, headers });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      upstream.once('response', resolve).once('error', reject);
    });
    upstream.end(body);
    return await readAnswer(await answered);
  }

  #carryMessages(from: WebSocket, to: WebSocket, change: LiveChange['message']): void {
    const carry = (message: LiveMessage): void => {
      for (const { kind, payload } of this.#changed([message], change?.(message) as LiveMessage[])) {
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
}

/** The same for requests that differ in nothing but their trace and the boundary of their form. */
function keyOf({ target, headers, body }: CarriedRequest): string {
  const { traceparent: _trace, ...others } = headers;
  const [boundary = '\n'] = /(?<=boundary=)[^;]+/.exec(headers['content-type'] ?? '') ?? [];
  const whole = [target, JSON.stringify(others), body.toString('latin1')].join('\n');
  return createHash('sha256').update(whole.replaceAll(boundary, ''), 'latin1').digest('hex');
}

/** An answer in the trace of another request, or in a new one, as the sandbox does it. */
function inNewTrace(answer: CarriedAnswer, { headers: { traceparent } }: CarriedRequest): CarriedAnswer {
  const traceId = readTraceId([traceparent].flat().join()) ?? newTraceId();
  return { ...answer, headers: { ...answer.headers, [headerNames.traceId]: traceId } };
}

function connect(url: URL, headers: IncomingMessage['headers']): WebSocket {
  const own = /^(host|connection|upgrade|sec-websocket-.*)$/;
  const others = Object.entries(headers).filter(([name]) => !own.test(name));
  url.protocol = 'ws:';
  return new WebSocket(url, { headers: Object.fromEntries(others), perMessageDeflate: false });
}

async function readAnswer(incoming: IncomingMessage): Promise<CarriedAnswer> {
  const { statusCode: status = 502, headers } = incoming;
  return { status, headers: { ...headers }, body: await buffer(incoming) };
}

function writeAnswer(outgoing: ServerResponse, { status, headers, body, cutAfter }: CarriedAnswer): void {
  // The length that was announced is that of another body now; chunks stay chunks.
  const hasLength = headers['content-length'] !== undefined && outgoing.req.method !== 'HEAD';
  outgoing.writeHead(status, { ...headers, ...(hasLength && { 'content-length': String(body.length) }) });
  if (cutAfter === undefined) outgoing.end(body);
  else outgoing.write(body.subarray(0, cutAfter), () => outgoing.destroy());
}

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decode, encode } from '@msgpack/msgpack';
import { WebSocket, WebSocketServer } from 'ws';

/** A request on its way to the good server. A stranger may change what arrives there. */
export interface Call {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  /** Raw, and decoded where it is a JSON or MessagePack map. */
  body: Buffer;
  fields: Fields | undefined;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export type Fields = Record<string, unknown>;

/** One server that is not ours: how its requests, answers, events and live messages differ from the good server's. */
export interface Behaviour {
  /** Answers in place of the good server when it returns something. */
  call?(call: Call): Answer | undefined;
  /** Sees the whole answer, unless it is an event stream that `event` or `block` changes. */
  answer?(answer: Answer, call: Call): void;
  /** One payload of the event stream; what it returns goes out, in this order. */
  event?(payload: Fields, call: Call): readonly Fields[];
  /** One block of the event stream as text. */
  block?(text: string): string;
  upgrade?(call: Call): number | undefined;
  /** A live message on its way; what it returns goes on. */
  fromClient?(message: Fields): readonly Fields[];
  fromServer?(message: Fields): readonly Fields[];
}

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

const isSpeech = (path: string): boolean => path.startsWith('/v1/tts');
const hopHeaders = new Set(['connection', 'transfer-encoding', 'keep-alive', 'content-length', 'host']);

/** Starts a stranger: a proxy before a good server, with one behaviour. */
export async function startStranger(upstream: string, behaviour: Behaviour): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    serve(upstream, behaviour, incoming, outgoing).catch(() => outgoing.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (incoming, socket, head) => {
    const call: Call = { ...callOf(incoming), body: Buffer.alloc(0), fields: undefined };
    const status = behaviour.upgrade?.(call);
    const opened = new WebSocket(upstream.replace('http', 'ws') + call.path, { headers: liveHeaders(call) });
    const refuse = (code: number, body: Buffer, headers: Record<string, string>): void => {
      const lines = Object.entries({ ...headers, 'content-length': body.length, connection: 'close' });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${code} Refused\r\n${head}\r\n`), body]));
    };
    socket.on('error', () => undefined);
    opened.on('error', () => socket.destroy());
    if (status !== undefined) {
      opened.terminate();
      return refuse(status, Buffer.from(JSON.stringify({ status, message: 'Refused.' })), {
        'content-type': 'application/json',
      });
    }
    opened.on('unexpected-response', (_request, refusal) => {
      collect(refusal).then((body) => refuse(refusal.statusCode ?? 500, body, headersOf(refusal)));
    });
    opened.on('open', () =>
      sockets.handleUpgrade(incoming, socket, head, (client) => joinSockets(client, opened, behaviour)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function liveHeaders(call: Call): Record<string, string> {
  const kept = ['authorization', 'model', 'traceparent'].flatMap((name) =>
    call.headers[name] === undefined ? [] : [[name, call.headers[name]]],
  );
  return Object.fromEntries(kept);
}

function joinSockets(client: WebSocket, upstream: WebSocket, behaviour: Behaviour): void {
  const carry = (
    from: WebSocket,
    to: WebSocket,
    change: ((message: Fields) => readonly Fields[]) | undefined,
  ): void => {
    from.on('message', (data: Buffer, binary: boolean) => {
      if (to.readyState !== WebSocket.OPEN) return;
      if (!binary || change === undefined) return to.send(data, { binary });
      const message = decodeFields(data);
      for (const each of message === undefined ? [] : change(message)) to.send(encode(each));
    });
    from.on('error', () => to.terminate());
    from.on('close', (code: number, reason: Buffer) => {
      if (code === 1005 || code === 1006) to.close();
      else to.close(code, reason);
    });
  };
  carry(client, upstream, behaviour.fromClient);
  carry(upstream, client, behaviour.fromServer);
}

async function serve(
  upstream: string,
  behaviour: Behaviour,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = await collect(incoming);
  const call: Call = { ...callOf(incoming), body, fields: fieldsOf(incoming.headers['content-type'], body) };
  const before = JSON.stringify(call.fields);
  const own = behaviour.call?.(call);
  if (own !== undefined) return send(outgoing, own);
  if (JSON.stringify(call.fields) !== before && call.fields !== undefined) {
    const json = call.headers['content-type']?.includes('json') === true;
    call.body = Buffer.from(json ? JSON.stringify(call.fields) : encode(call.fields));
  }
  const response = await pass(upstream, call);
  const headers = headersOf(response);
  const streamed = headers['content-type']?.startsWith('text/event-stream') === true;
  if (streamed && (behaviour.event !== undefined || behaviour.block !== undefined)) {
    outgoing.writeHead(response.statusCode ?? 500, headers);
    return carryEvents(response, outgoing, behaviour, call);
  }
  if (behaviour.answer === undefined || (streamed && isSpeech(call.path))) {
    outgoing.writeHead(response.statusCode ?? 500, headers);
    response.on('error', () => outgoing.destroy());
    response.pipe(outgoing);
    return;
  }
  const answer: Answer = { status: response.statusCode ?? 500, headers, body: await collect(response) };
  behaviour.answer(answer, call);
  send(outgoing, answer);
}

async function carryEvents(
  response: IncomingMessage,
  outgoing: ServerResponse,
  behaviour: Behaviour,
  call: Call,
): Promise<void> {
  let rest = '';
  const write = (block: string): void => {
    const payload = block.startsWith('data: ') ? (JSON.parse(block.slice(6)) as Fields) : undefined;
    const out =
      payload === undefined || behaviour.event === undefined
        ? [block]
        : behaviour.event(payload, call).map((each) => `data: ${JSON.stringify(each)}`);
    for (const each of out) outgoing.write(behaviour.block?.(each) ?? `${each}\n\n`);
  };
  for await (const piece of response) {
    rest += String(piece);
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) write(block);
  }
  outgoing.end();
}

function send(outgoing: ServerResponse, answer: Answer): void {
  const headers = { ...answer.headers };
  if (answer.status !== 204) headers['content-length'] = String(answer.body.length);
  outgoing.writeHead(answer.status, headers);
  outgoing.end(answer.status === 204 ? undefined : answer.body);
}

function pass(upstream: string, call: Call): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(upstream + call.path, {
      method: call.method,
      headers: {
        ...call.headers,
        ...(call.body.length > 0 && { 'content-length': String(call.body.length) }),
      },
    });
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(call.body);
  });
}

function callOf(incoming: IncomingMessage): Pick<Call, 'method' | 'path' | 'headers'> {
  return { method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers: headersOf(incoming) };
}

function headersOf(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headers).flatMap(([name, value]) =>
      value === undefined || hopHeaders.has(name) ? [] : [[name, String(value)]],
    ),
  );
}

async function collect(message: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await message.toArray());
}

function fieldsOf(contentType: string | undefined, body: Buffer): Fields | undefined {
  try {
    if (contentType?.includes('json')) return asFields(JSON.parse(String(body)));
    if (contentType?.includes('msgpack')) return decodeFields(body);
  } catch {
    return undefined;
  }
}

function decodeFields(data: Buffer): Fields | undefined {
  try {
    return asFields(decode(data));
  } catch {
    return undefined;
  }
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The JSON of an answer, changed in place. Other answers are left as they are. */
export function changeJson(answer: Answer, change: (value: Fields) => unknown): void {
  let value: unknown;
  try {
    value = JSON.parse(String(answer.body));
  } catch {
    return;
  }
  const changed = change(value as Fields);
  answer.body = Buffer.from(JSON.stringify(changed === undefined ? value : changed));
}

export function jsonAnswer(status: number, value: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  };
}

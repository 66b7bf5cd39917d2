import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decode, encode } from '@msgpack/msgpack';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

export interface Call {
  readonly method: string;
  /** Path and query of the request. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  /** The connection breaks after this many bytes of the body; 0 means without an answer. */
  readonly cutAfter?: number;
}

export type Fields = Record<string, unknown>;

/** Changes to the sandbox's behaviour; `undefined` changes nothing. */
export interface Behaviour {
  readonly sent?: (call: Call) => Call | undefined;
  readonly instead?: (call: Call) => Answer | undefined;
  readonly answered?: (answer: Answer, call: Call) => Answer | undefined;
  /** Changes a server message in a live session. */
  readonly live?: (message: Fields) => Fields | undefined;
}

/** Starts a proxy before the sandbox. */
export async function startLyingProxy(upstream: string) {
  let behaviour: Behaviour = {};
  let changes = 0;
  const changed = <Value>(value: Value, changedValue: Value | undefined): Value => {
    if (changedValue !== undefined) changes += 1;
    return changedValue ?? value;
  };
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: target = '/', headers: sent } = incoming;
    const call = { method, target, headers: sent as Call['headers'], body: await buffer(incoming) };
    const short = behaviour.instead?.(call);
    const answer = short ?? (await send(upstream, changed(call, behaviour.sent?.(call))));
    const { status, headers, body, cutAfter } = changed(answer, short ?? behaviour.answered?.(answer, call));
    if (cutAfter === 0) return outgoing.destroy();
    const length = headers['content-length'] === undefined ? {} : { 'content-length': body.length };
    outgoing.writeHead(status, { ...headers, ...length });
    if (cutAfter === undefined) return outgoing.end(body);
    return outgoing.write(body.subarray(0, cutAfter), () => outgoing.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (incoming, socket, head) => {
    const { authorization, model, traceparent } = incoming.headers;
    const headers = Object.entries({ authorization, model, traceparent }).filter(([, value]) => value);
    const url = upstream.replace('http', 'ws') + incoming.url;
    const peer = new WebSocket(url, { headers: Object.fromEntries(headers) });
    peer.on('error', () => socket.destroy());
    peer.on('unexpected-response', async (_request, refusal: IncomingMessage) => {
      const body = await buffer(refusal);
      const head = [
        `${refusal.statusCode} No`,
        'content-type: application/json',
        `content-length: ${body.length}`,
      ];
      socket.write(`HTTP/1.1 ${head.join('\r\n')}\r\n\r\n`);
      socket.end(body);
    });
    peer.on('open', () =>
      sockets.handleUpgrade(incoming, socket, head, (client) => {
        client.on('message', (data: RawData) => peer.send(data as Buffer));
        client.on('close', () => peer.close());
        peer.on('message', (data: RawData) => {
          const message = decode(data as Buffer) as Fields;
          client.send(encode(changed(message, behaviour.live?.(message))));
        });
        peer.on('close', () => client.close(1000));
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (next: Behaviour) => {
      behaviour = next;
      changes = 0;
    },
    changes: () => changes,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function send(upstream: string, { method, target, headers, body }: Call): Promise<Answer> {
  const { 'content-length': _length, 'transfer-encoding': _coding, ...others } = headers;
  const sized = body.length > 0 ? { ...others, 'content-length': body.length } : others;
  const call = request(upstream + target, { method, headers: sized, agent: false });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve).once('error', reject);
  });
  call.end(body);
  const incoming = await answered;
  return { status: incoming.statusCode ?? 0, headers: { ...incoming.headers }, body: await buffer(incoming) };
}

const typeOf = ({ headers }: Call) => headers['content-type'] ?? '';

/** The fields of a JSON or MessagePack request; empty for any other. */
export function fieldsOf(call: Call): Fields {
  if (typeOf(call) === 'application/msgpack') return decode(call.body) as Fields;
  return typeOf(call) === 'application/json' ? (JSON.parse(String(call.body)) as Fields) : {};
}

/** Changes the fields of requests for speech, and of changes. */
export const asks = (change: (fields: Fields) => Fields, isMeant = (_call: Call) => true): Behaviour => ({
  sent: (call) => {
    if (!isMeant(call)) return undefined;
    if (!call.target.startsWith('/v1/tts') && call.method !== 'PATCH') return undefined;
    const fields = change(fieldsOf(call));
    if (Object.keys(fieldsOf(call)).length === 0) return undefined;
    return {
      ...call,
      body: Buffer.from(typeOf(call).endsWith('json') ? JSON.stringify(fields) : encode(fields)),
    };
  },
});

/** Changes successful answers below a path. */
export const answers = (
  path: string,
  change: (answer: Answer, call: Call) => Partial<Answer>,
): Behaviour => ({
  answered: (answer, call) =>
    call.target.startsWith(path) && answer.status < 300 ? { ...answer, ...change(answer, call) } : undefined,
});

/** Changes the object of a successful answer in JSON. */
export const says = (path: string, change: (body: Fields, call: Call) => Fields): Behaviour =>
  answers(path, ({ headers, body }, call) => {
    if (!String(headers['content-type']).includes('json') || body.length === 0) return {};
    return { body: Buffer.from(JSON.stringify(change(JSON.parse(String(body)) as Fields, call))) };
  });

/** Changes the bytes of generated audio. */
export const sounds = (change: (audio: Buffer) => Buffer): Behaviour =>
  answers('/v1/tts', ({ body }) => ({ body: change(body) }));

/** Changes the events of a stream, or their lines. */
export const streams = (change: (event: Fields, index: number) => Fields | string): Behaviour =>
  answers('/v1/tts/stream', ({ body }) => {
    const blocks = String(body).split('\n\n').filter(Boolean);
    const events = blocks.map((block, index) => change(JSON.parse(block.slice(6)) as Fields, index));
    const lines = events.map((event) =>
      typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`,
    );
    return { body: Buffer.from(lines.map((line) => `${line}\n\n`).join('')) };
  });

export const without =
  (name: string) =>
  ({ [name]: _left, ...others }: Fields): Fields =>
    others;

export const having =
  (fields: Fields) =>
  (body: Fields): Fields => ({ ...body, ...fields });

export const jsonAnswer = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});

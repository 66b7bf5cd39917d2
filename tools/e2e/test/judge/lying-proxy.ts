import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decode, encode } from '@msgpack/msgpack';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

export interface Call {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  /** The connection breaks after this many bytes of the body; 0 breaks it without an answer. */
  readonly cutAfter?: number;
}

export type Fields = Record<string, unknown>;

/** What a server does in place of what the sandbox does; `undefined` leaves it as it is. */
export interface Behaviour {
  readonly sent?: (call: Call) => Call | undefined;
  readonly instead?: (call: Call) => Answer | undefined;
  readonly answered?: (answer: Answer, call: Call) => Answer | undefined;
  /** Changes a message of the server in a live session. */
  readonly live?: (message: Fields) => Fields | string | undefined;
}

/** Starts a proxy before the sandbox. */
export async function startLyingProxy(upstream: string) {
  let behaviour: Behaviour = {};
  let changes = 0;
  const spoken = new Map<string, Answer>();
  const changed = <Value>(value: Value, other: Value | undefined): Value => {
    if (other !== undefined) changes += 1;
    return other ?? value;
  };
  const ask = async (call: Call): Promise<Answer> => {
    // Speaking takes most of the time, and the same request is answered alike.
    const { authorization, model, traceparent } = call.headers;
    const known = [call.target, authorization, model, traceparent, call.body.toString('base64')].join(' ');
    const answer = spoken.get(known) ?? (await send(upstream, call));
    if (call.target.startsWith('/v1/tts') && answer.status === 200) spoken.set(known, answer);
    return answer;
  };
  const server = createServer(async (incoming, outgoing) => {
    const call = await readCall(incoming);
    const short = behaviour.instead?.(call);
    const answer = short ?? (await ask(changed(call, behaviour.sent?.(call))));
    const { status, headers, body, cutAfter } = changed(answer, short ?? behaviour.answered?.(answer, call));
    if (cutAfter === 0) return outgoing.destroy();
    const hasLength = headers['content-length'] !== undefined;
    outgoing.writeHead(status, { ...headers, ...(hasLength && { 'content-length': body.length }) });
    if (cutAfter === undefined) return outgoing.end(body);
    return outgoing.write(body.subarray(0, cutAfter), () => outgoing.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', async (incoming, socket, head) => {
    const { target, headers } = changed(await readCall(incoming), undefined);
    const peer = new WebSocket(upstream.replace('http', 'ws') + target, {
      headers: { authorization: headers.authorization, model: headers.model },
    });
    peer.on('error', () => socket.destroy());
    peer.on('open', () =>
      sockets.handleUpgrade(incoming, socket, head, (client) => {
        client.on('message', (data: RawData) => peer.send(data as Buffer));
        client.on('close', () => peer.close());
        peer.on('message', (data: RawData) => {
          const message = decode(data as Buffer) as Fields;
          const other = changed<Fields | string>(message, behaviour.live?.(message));
          client.send(typeof other === 'string' ? other : encode(other));
        });
        peer.on('close', () => client.close(1000));
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (other: Behaviour) => {
      behaviour = other;
      changes = 0;
    },
    changes: () => changes,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readCall(incoming: IncomingMessage): Promise<Call> {
  const { method = 'GET', url: target = '/', headers } = incoming;
  const isUpgrade = headers.upgrade !== undefined;
  const body = isUpgrade ? Buffer.alloc(0) : await buffer(incoming);
  return { method, target, headers: headers as Record<string, string>, body };
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

// What most lies need.

export const fieldsOf = ({ headers, body }: Call): Fields => {
  try {
    return (
      headers['content-type'] === 'application/msgpack' ? decode(body) : JSON.parse(String(body))
    ) as Fields;
  } catch {
    return {};
  }
};

/** Changes the fields of a request in JSON or MessagePack. */
export const asks = (change: (fields: Fields) => Fields): Behaviour => ({
  sent: (call) => {
    const type = call.headers['content-type'];
    if (!call.target.startsWith('/v1/tts') && call.method !== 'PATCH') return undefined;
    if (type !== 'application/json' && type !== 'application/msgpack') return undefined;
    const fields = change(fieldsOf(call));
    return { ...call, body: Buffer.from(type.endsWith('json') ? JSON.stringify(fields) : encode(fields)) };
  },
});

/** Changes successful answers below a path. */
export const answers = (
  path: string,
  answered: (answer: Answer, call: Call) => Answer | undefined,
): Behaviour => ({
  answered: (answer, call) =>
    call.target.startsWith(path) && answer.status < 300 ? answered(answer, call) : undefined,
});

/** Changes the object of a successful answer in JSON. */
export const says = (path: string, change: (body: Fields, call: Call) => Fields): Behaviour =>
  answers(path, (answer, call) => {
    if (!String(answer.headers['content-type']).includes('json') || answer.body.length === 0)
      return undefined;
    const body = change(JSON.parse(String(answer.body)) as Fields, call);
    return { ...answer, body: Buffer.from(JSON.stringify(body)) };
  });

/** Changes the bytes of generated audio. */
export const sounds = (change: (audio: Buffer) => Buffer): Behaviour =>
  answers('/v1/tts', (answer) => ({ ...answer, body: change(Buffer.from(answer.body)) }));

/** Changes the events of a stream, or their lines. */
export const streams = (change: (event: Fields, index: number) => Fields | string): Behaviour =>
  answers('/v1/tts/stream', (answer) => {
    const blocks = String(answer.body).split('\n\n').filter(Boolean);
    const events = blocks.map((block, index) => {
      const event = change(JSON.parse(block.slice(6)) as Fields, index);
      return typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`;
    });
    return { ...answer, body: Buffer.from(events.map((event) => `${event}\n\n`).join('')) };
  });

export const without =
  (name: string) =>
  ({ [name]: _left, ...others }: Fields): Fields =>
    others;

export const jsonAnswer = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
  body: Buffer.from(JSON.stringify(value)),
});

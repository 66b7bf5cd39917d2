import { closeSync, openSync, writeSync } from 'node:fs';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as plainRequest,
  ServerResponse,
} from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Option, onInterrupt, wholeNumber, whyNotListening } from '@speech-api/program';
import { endOfHar } from '@speech-api/program/har';
import { onWebSocket } from '@speech-api/program/web-socket';
import * as ws from 'ws';
import type { Command, ExitCode, Surroundings } from './command/command.ts';
import { CannotJudge, UsageError } from './errors.ts';
import { keyPlaceholder, readAuthorization } from './key.ts';
import { countOf } from './report/text.ts';
import { isJsonType, isTextType, mediaTypeOf } from './subjects/answer.ts';
import { toolName, toolVersion } from './tool.ts';
import { readAddress, uncompressed, whyUnreachable } from './transport/send-call.ts';

/** Creates a HAR file that only its owner may read, and that is whole after each entry. */
function createHarFile(path: string) {
  const creator = JSON.stringify({ name: toolName, version: toolVersion() });
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it is there already. Name another file' : message;
    throw new CannotJudge(`${path} can't be written: ${why}.`);
  }
  let end = writeSync(file, `{"log":{"version":"1.2","creator":${creator},"entries":[`);
  let separator = '';
  writeSync(file, endOfHar, end);
  return {
    add: (entry: object): void => {
      // A run that is killed in between leaves the old file intact, followed by text that `check` ignores.
      const text = `${JSON.stringify(entry)}${endOfHar}`;
      const length = writeSync(file, text, end + endOfHar.length);
      writeSync(file, `${separator}\n`.padEnd(endOfHar.length), end);
      separator = ',';
      end += length;
    },
    close: () => closeSync(file),
  };
}

/** A recorder that is listening. */
export interface Recorder {
  /** Base address for clients, without a trailing slash. */
  readonly url: string;
  /** Stops listening and ends the calls under way. @returns the number of calls in the file */
  close(): Promise<number>;
}

/** The server to forward to, and the file to write. */
export interface RecordOptions {
  /** Base address of the server, such as `https://api.example.com`. */
  readonly upstream: string;
  readonly file: string;
  /** 0 chooses a free one. @defaultValue 4040 */
  readonly port?: number;
}

const defaultPort = 4040;

/** Replaces cookies and tickets in a recording. The key has its own placeholder, so that an answer that shows it is detected. */
const hidden = '$SECRET';

const secretHeaders = ['cookie', 'set-cookie', 'sec-websocket-protocol', 'proxy-authorization'];

/**
 * Forwards calls to a server, each byte as it comes, and writes them to a HAR file.
 *
 * @throws CannotJudge when the file can't be written, or the port is in use
 */
export async function startRecorder(options: RecordOptions): Promise<Recorder> {
  const { upstream, file, port = defaultPort } = options;
  const har = createHarFile(file);
  const sockets = new Set<Duplex>();
  const calls = new Set<ForwardedCall>();
  let count = 0;
  const begin = (incoming: IncomingMessage): ForwardedCall => {
    const call = new ForwardedCall(incoming, upstream, (entry) => {
      calls.delete(call);
      count += 1;
      har.add(entry);
    });
    calls.add(call);
    return call;
  };
  const server = createServer((incoming, outgoing) => forward(begin(incoming), outgoing));
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('close', () => sockets.delete(socket));
  });
  onWebSocket(server, (incoming, socket, head) => forwardSocket(begin(incoming), socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CannotJudge(whyNotListening(error))));
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const call of calls) call.leave();
      for (const socket of sockets) socket.destroy();
      await closed;
      har.close();
      return count;
    },
  };
}

type End = 'complete' | 'cut' | 'abandoned';

/** A call on its way, which becomes one entry of the file, however it ends. */
class ForwardedCall {
  readonly incoming: IncomingMessage;
  readonly upstream: string;
  readonly startedAt: Date = new Date();
  readonly sent: Buffer[] = [];
  readonly received: Buffer[] = [];
  answer: IncomingMessage | undefined;
  /** The messages of an open session, and how it was closed. */
  session: { readonly messages: object[]; closed?: object } | undefined;
  isOver = false;
  readonly #write: (entry: object) => void;
  #request: ClientRequest | undefined;

  constructor(incoming: IncomingMessage, upstream: string, write: (entry: object) => void) {
    this.incoming = incoming;
    this.upstream = upstream;
    this.#write = write;
  }

  /** Asks the server, with other headers than the client's in place of those of these names. */
  ask(names: readonly string[], ...others: readonly string[]): ClientRequest {
    const { method, url = '/', rawHeaders } = this.incoming;
    const base = new URL(this.upstream);
    const headers = pairsOf(rawHeaders)
      .filter(([name]) => !names.includes(name.toLowerCase()))
      .flatMap(([name, value]) => [name, name.toLowerCase() === 'host' ? base.host : value]);
    const send = base.protocol === 'https:' ? secureRequest : plainRequest;
    const path = base.pathname.replace(/\/$/, '') + url;
    this.#request = send(base, { method, path, headers: [...headers, ...others], agent: false });
    return this.#request;
  }

  /** Writes the entry, once. */
  end(how: End): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#write(entryOf(this, how));
  }

  /** Ends the call where it is: its client has left, or the recorder stops. */
  leave(): void {
    this.end(this.session === undefined ? 'abandoned' : 'complete');
    this.#request?.destroy();
  }
}

/** Headers of a single connection (RFC 9110, section 7.6.1): a forwarded call has two connections. */
const ofConnection = ['connection', 'keep-alive', 'proxy-connection'];

function forward(call: ForwardedCall, outgoing: ServerResponse): void {
  // A server that may close the connection with its answer does not read a body that it refuses, and resets what it sent.
  const request = call.ask(ofConnection, 'connection', 'keep-alive');
  forwardAnswer(call, request, outgoing);
  // The client has left; its response says so.
  upload(call, request).catch(() => request.destroy());
}

async function upload({ incoming, sent }: ForwardedCall, request: ClientRequest): Promise<void> {
  for await (const piece of incoming) {
    sent.push(piece);
    // An answer that has come is read first: a write that fails after it would lose it.
    await setImmediate();
    if (request.destroyed || request.write(piece)) continue;
    await new Promise<void>((resolve) => {
      request.once('drain', resolve).once('close', resolve);
    });
  }
  request.end();
}

function forwardAnswer(call: ForwardedCall, request: ClientRequest, outgoing: ServerResponse): void {
  const { received } = call;
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) call.leave();
  });
  request.on('error', (failure) => {
    if (call.answer !== undefined || call.isOver) return;
    call.end('cut');
    const message = `The recorder got no answer: ${whyUnreachable(failure, call.upstream, '--upstream')}`;
    outgoing.writeHead(502, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ status: 502, message }));
  });
  request.on('response', (response) => {
    call.answer = response;
    const headers = pairsOf(response.rawHeaders).filter(
      ([name]) => !ofConnection.includes(name.toLowerCase()),
    );
    outgoing.sendDate = false;
    outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, headers.flat());
    outgoing.flushHeaders();
    response.on('data', (piece: Buffer) => received.push(piece));
    response.on('error', () => {});
    response.on('end', () => {
      call.end('complete');
      outgoing.end();
      // The rest of a body that was refused is read from the client and goes nowhere.
      request.destroy();
    });
    response.on('close', () => {
      if (response.complete) return;
      call.end('cut');
      // The client sees the same break in the connection as the recorder.
      outgoing.socket?.destroySoon();
    });
    response.pipe(outgoing, { end: false });
  });
}

/** The frame reader of `ws`, which its types omit. */
const { Receiver } = ws as unknown as { readonly Receiver: new (options: object) => Writable };

/** Forwards an upgrade. Compression is not offered, so the recording holds each frame as it passes. */
function forwardSocket(call: ForwardedCall, socket: Duplex, head: Buffer): void {
  const request = call.ask(['sec-websocket-extensions']);
  const outgoing = new ServerResponse(call.incoming);
  outgoing.shouldKeepAlive = false;
  const attach = () => {
    if (socket.destroyed) return;
    outgoing.assignSocket(socket as Socket);
    outgoing.on('finish', () => socket.end());
  };
  request.once('response', attach).once('error', attach);
  forwardAnswer(call, request, outgoing);
  socket.once('close', () => call.leave());
  const session: NonNullable<ForwardedCall['session']> = { messages: [] };
  const listen = (side: 'client' | 'server', from: Duplex, to: Duplex, first: Buffer): void => {
    const reader = new Receiver({ isServer: side === 'client', skipUTF8Validation: true });
    reader.on('message', (bytes: Buffer, isBinary: boolean) => {
      const type = side === 'client' ? 'send' : 'receive';
      const data = bytes.toString(isBinary ? 'base64' : 'utf8');
      session.messages.push({ type, time: Date.now() / 1000, opcode: isBinary ? 2 : 1, data });
    });
    reader.once('conclude', (code: number, reason: Buffer) => {
      session.closed ??= { code, reason: reason.toString(), by: side };
    });
    reader.on('error', () => {});
    // A copy is unmasked, because the original bytes are on their way to the other side.
    from.on('data', (bytes: Buffer) => void (reader.writable && reader.write(Buffer.from(bytes))));
    if (first.length > 0) from.unshift(first);
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  };
  request.on('upgrade', (answer, peer, rest) => {
    call.answer = answer;
    call.session = session;
    const lines = pairsOf(answer.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 101 ${answer.statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
    listen('client', socket, peer, head);
    listen('server', peer, socket, rest);
  });
  request.end();
}

/** One call as an entry of a HAR file, with a fixed word for every secret of the request. */
function entryOf(
  { incoming, upstream, startedAt, sent, answer, received, session }: ForwardedCall,
  how: End,
): object {
  const { authorization, cookie = '' } = incoming.headers;
  const key = authorization === undefined ? '' : readAuthorization(authorization).key;
  const hide = (text: string) =>
    [[key, keyPlaceholder] as const, [cookie, hidden] as const].reduce(
      (shown, [secret, word]) => (secret.length < 4 ? shown : shown.replaceAll(secret, word)),
      text,
    );
  const headersOf = (raw: readonly string[]) =>
    pairsOf(raw).map(([name, value]) => {
      const isSecret = secretHeaders.includes(name.toLowerCase());
      return { name, value: isSecret ? hidden : hide(value) };
    });
  const target = hide((incoming.url ?? '/').replace(/([?&](?:ticket|token|key)=)[^&]*/g, `$1${hidden}`));
  const request = Buffer.concat(sent);
  const raw = Buffer.concat(received);
  const { 'content-encoding': coding = 'identity', 'content-type': type } = answer?.headers ?? {};
  const body = Buffer.from(uncompressed(raw, coding));
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    startedDateTime: startedAt.toISOString(),
    time: Date.now() - startedAt.getTime(),
    request: {
      ...common,
      method: incoming.method,
      url: upstream + target,
      headers: headersOf(incoming.rawHeaders),
      queryString: [],
      ...(request.length > 0 && { postData: contentOf(request, incoming.headers['content-type'], hide) }),
      bodySize: request.length,
    },
    response: {
      ...common,
      status: answer?.statusCode ?? 0,
      statusText: answer?.statusMessage ?? '',
      headers: headersOf(answer?.rawHeaders ?? []),
      // Of a body with an unknown encoding, only the size is recorded.
      content: ['identity', 'gzip', 'deflate', 'br'].includes(coding)
        ? { size: body.length, ...contentOf(body, type, hide) }
        : { size: raw.length, mimeType: type ?? '' },
      redirectURL: '',
      bodySize: raw.length,
      ...(how === 'cut' && { _ended: 'cut' }),
      ...(how === 'abandoned' && { _error: 'the client left before the answer was whole' }),
    },
    cache: {},
    timings: { send: -1, wait: -1, receive: -1 },
    ...(session !== undefined && {
      _webSocketMessages: session.messages,
      _webSocketClose: session.closed ?? { code: 1006, by: 'nobody' },
    }),
  };
}

/** A body as text where it is text, and as base64 where it is not. */
function contentOf(body: Buffer, contentType: string | undefined, hide: (text: string) => string) {
  const mimeType = contentType ?? '';
  const mediaType = mediaTypeOf(mimeType) ?? '';
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  const text = body.toString('utf8');
  const isText = (isJsonType(mediaType) || isTextType(mediaType) || isForm) && Buffer.from(text).equals(body);
  return isText
    ? { mimeType, text: hide(text) }
    : { mimeType, text: body.toString('base64'), encoding: 'base64' };
}

function pairsOf(flat: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: flat.length >> 1 }, (_, index) => [
    flat[2 * index] ?? '',
    flat[2 * index + 1] ?? '',
  ]);
}

interface Values {
  readonly upstream?: string;
  readonly port: number;
}

/** Records what passes between a client and a server. */
export const recordCommand: Command<Values> = {
  name: 'record',
  summary: 'Forward your calls to a server and write them to a HAR file for check.',
  takes: ['<file>', 'the HAR file to write'],
  options: [
    new Option('--upstream <url>', 'base address of the server, without /v1'),
    new Option('--port <number>', 'the port of this machine to listen on; 0 chooses a free one')
      .argParser(wholeNumber(0, 65_535))
      .default(defaultPort),
  ],
  notes: `Use the address that it prints as the base address of your code. HTTP, event streams, MessagePack and WebSockets are
forwarded byte for byte as they arrive. Ctrl-C stops it; then judge the file with speech-contract check FILE.har.

The file holds the texts and the audio that were sent and answered; only its owner may read it. It does not hold keys,
cookies and tickets: a fixed word replaces them. It is whole after each call, also if the recorder is killed.`,
  run,
};

async function run(
  { upstream: address, port }: Values,
  [file = '']: readonly string[],
  { error }: Surroundings,
): Promise<ExitCode> {
  if (address === undefined)
    throw new UsageError('--upstream is missing. Name the server: --upstream http://127.0.0.1:4010');
  const upstream = readAddress('--upstream', address, ['http:', 'https:']);
  const ended = Promise.withResolvers<void>();
  const release = onInterrupt(() => ended.resolve());
  try {
    const recorder = await startRecorder({ upstream, file, port });
    error(`Listening on ${recorder.url} and forwarding to ${upstream}. Ctrl-C stops.\n`);
    await ended.promise;
    const calls = countOf(await recorder.close(), 'call');
    error(`Wrote ${calls} to ${file}. Judge them with speech-contract check ${file}\n`);
    return 0;
  } finally {
    release();
  }
}

import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import * as ws from 'ws';
import type {
  Exchange,
  Headers,
  LiveClose,
  LiveMessage,
  RecordedChunk,
  RecordedResponse,
} from '../exchange.ts';
import type { Operation } from '../specification/operations.ts';
import { headersOf, uncompressed } from '../transport/send-call.ts';
import type { PassEnd, Watcher } from './pass.ts';

/** Limits on how much traffic is kept until it is judged. The traffic itself is never limited. */
export interface CopyLimits {
  /** Bytes of one request, and of one answer; of a socket, those of each side. @defaultValue 67108864 (64 MiB) */
  readonly bodyBytes: number;
  /** Bytes of all copies that are not judged yet. @defaultValue 268435456 (256 MiB) */
  readonly allBytes: number;
  /** Seconds from the first byte of a request to the last of its answer. @defaultValue 900 */
  readonly seconds: number;
}

/** Pieces of one side: many small ones take more memory than their bytes. */
const piecesOfSide = 100_000;

/** One call as it passed: its bodies are in pieces, and compressed if they were. */
export interface Copy {
  readonly exchange: Exchange;
  readonly sent: readonly Uint8Array[];
  /** The answer was too large to keep. */
  readonly isAnswerLost: boolean;
  /** Share of {@link CopyLimits.allBytes} that the copy takes until it is judged. */
  readonly bytes: number;
}

/** Called once for each call. Without a copy nothing of it is judged. */
export type OnRecorded = (copy: Copy | undefined, notJudged: readonly string[]) => void;

/** The bytes that all copies take now. */
export interface Kept {
  bytes: number;
}

type Side = 'client' | 'server';

/** Copies one call while it passes. Nothing waits for it. */
export class CallRecord implements Watcher {
  readonly #name: string;
  readonly #incoming: IncomingMessage;
  readonly #operation: Operation;
  readonly #url: string;
  readonly #limits: CopyLimits;
  readonly #kept: Kept;
  readonly #explain: (failure: Error) => string;
  readonly #onRecorded: OnRecorded;
  readonly #startedAt = performance.now();
  readonly #sides = { client: { bytes: 0, pieces: 0 }, server: { bytes: 0, pieces: 0 } };
  readonly #notJudged = new Map<Side, string>();
  readonly #messages: LiveMessage[] = [];
  #sent: Uint8Array[] = [];
  #chunks: RecordedChunk[] = [];
  #answer: IncomingMessage | undefined;
  #close: LiveClose | undefined;
  /** Once a socket is open. */
  #readers: Readonly<Record<Side, Writable>> | undefined;
  /** Pieces of both sides of a socket are read one after the other, so that their messages stay in order. */
  #reading = Promise.resolve();
  /** When the piece came that is being read. */
  #pieceAt = 0;
  #isOver = false;

  constructor(
    call: { name: string; incoming: IncomingMessage; operation: Operation; url: string },
    limits: CopyLimits,
    kept: Kept,
    explain: (failure: Error) => string,
    onRecorded: OnRecorded,
  ) {
    this.#name = call.name;
    this.#incoming = call.incoming;
    this.#operation = call.operation;
    this.#url = call.url;
    this.#limits = limits;
    this.#kept = kept;
    this.#explain = explain;
    this.#onRecorded = onRecorded;
  }

  answered(answer: IncomingMessage): void {
    this.#answer = answer;
    if (answer.statusCode === 101)
      this.#readers = { client: this.#reader('client'), server: this.#reader('server') };
  }

  fromClient(bytes: Buffer): void {
    this.#take('client', bytes);
  }

  fromServer(bytes: Buffer): void {
    this.#take('server', bytes);
  }

  #take(side: Side, bytes: Buffer): void {
    if (!this.#has(bytes, side)) return;
    // The bytes themselves are on their way to the other side.
    const piece = { atMs: this.#now(), bytes: new Uint8Array(bytes) };
    const reader = this.#readers?.[side];
    if (reader === undefined) {
      if (side === 'client') this.#sent.push(piece.bytes);
      else this.#chunks.push(piece);
      return;
    }
    this.#reading = this.#reading.then(async () => {
      this.#pieceAt = piece.atMs;
      if (reader.writable) await new Promise<void>((done) => reader.write(piece.bytes, () => done()));
    });
  }

  async ended(how: PassEnd, failure?: Error): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    // A message that is still being decompressed belongs to the session.
    await this.#reading;
    const bytes = this.#sides.client.bytes + this.#sides.server.bytes;
    const isSocket = this.#answer?.statusCode === 101;
    const notJudged = [...this.#notJudged].map(([side, why]) => `${nameOf(side, isSocket)} ${why}`);
    // One side of a session alone says nothing.
    if (how === 'abandoned' || (isSocket && notJudged.length > 0)) {
      this.#kept.bytes -= bytes;
      const left = 'the client left before the answer was whole';
      this.#onRecorded(undefined, how === 'abandoned' ? [left] : notJudged);
      return;
    }
    const name = failure === undefined ? this.#name : `${this.#name} (${this.#explain(failure)})`;
    const copy = { exchange: this.#exchange(name, how), sent: this.#sent, bytes };
    this.#onRecorded({ ...copy, isAnswerLost: this.#notJudged.has('server') }, notJudged);
  }

  #exchange(name: string, how: PassEnd): Exchange {
    const { method = 'GET' } = this.#incoming;
    const request = { url: this.#url, headers: headersOf(this.#incoming) };
    const response = this.#response(how);
    const operationId = this.#operation.id;
    if (operationId !== 'openLiveSession')
      return { kind: 'http', name, operationId, request: { ...request, method }, response };
    const upgrade = { request: { ...request, method: 'GET' as const }, response };
    const session = { kind: 'live' as const, name, operationId, upgrade, messages: this.#messages };
    if (response.status !== 101) return session;
    // A client may break the connection without a word.
    const close = this.#close ?? { code: 1006, reason: '', by: 'nobody' as const, atMs: this.#now() };
    return { ...session, close, clientLeft: close.by !== 'server' };
  }

  #response(how: PassEnd): RecordedResponse {
    const body = new Uint8Array();
    const { statusCode: status = 0, httpVersion } = this.#answer ?? {};
    if (httpVersion === undefined) return { status: 0, headers: {}, body, ended: 'cut' };
    const ended = how === 'complete' ? 'complete' : 'cut';
    return { status, headers: headersOf(this.#answer), httpVersion, ended, body, chunks: this.#chunks };
  }

  #reader(side: Side): Writable {
    const reader = createReader(
      side,
      this.#answer?.headers['sec-websocket-extensions'],
      this.#limits.bodyBytes,
    );
    const direction = side === 'client' ? 'sent' : 'received';
    reader.on('message', (bytes: Buffer, isBinary: boolean) => {
      const frame = isBinary ? 'binary' : 'text';
      this.#messages.push({ direction, atMs: this.#pieceAt, frame, bytes: new Uint8Array(bytes) });
    });
    reader.on('conclude', (code: number, reason: Buffer) => {
      this.#close ??= { code, reason: reason.toString(), by: side, atMs: this.#pieceAt };
    });
    reader.on('error', ({ message }) => this.#lose(side, `can't be read: ${message}`));
    return reader;
  }

  /** Counts a piece, unless its side is lost or too large now. */
  #has({ length }: Buffer, from: Side): boolean {
    if (this.#isOver || this.#notJudged.has(from)) return false;
    const { bodyBytes, allBytes, seconds } = this.#limits;
    const side = this.#sides[from];
    if (side.bytes + length > bodyBytes) return this.#lose(from, `is larger than ${inMebibytes(bodyBytes)}`);
    if (side.pieces >= piecesOfSide) return this.#lose(from, `is in more than ${piecesOfSide} pieces`);
    if (this.#kept.bytes + length > allBytes)
      return this.#lose(from, `is larger than what was left of ${inMebibytes(allBytes)} for all copies`);
    if (this.#now() > seconds * 1000) return this.#lose(from, `is longer than ${seconds} seconds`);
    side.bytes += length;
    side.pieces += 1;
    this.#kept.bytes += length;
    return true;
  }

  #lose(from: Side, why: string): false {
    this.#notJudged.set(from, why);
    if (from === 'client') this.#sent = [];
    else this.#chunks = [];
    this.#kept.bytes -= this.#sides[from].bytes;
    this.#sides[from].bytes = 0;
    return false;
  }

  #now(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

function nameOf(side: Side, isSocket: boolean): string {
  if (isSocket) return `the ${side}'s side`;
  return side === 'client' ? 'the request' : 'the answer';
}

function inMebibytes(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes} bytes`;
}

/** The parts of `ws` that read frames. It exports them, and its types leave them out. */
const { Receiver, PerMessageDeflate, extension } = ws as unknown as {
  readonly Receiver: new (options: object) => Writable;
  readonly PerMessageDeflate: new (options: object) => { accept(offers: unknown): unknown };
  readonly extension: { parse(header: string): Readonly<Record<string, unknown>> };
};

const compression = 'permessage-deflate';

/** Reads the bytes of one side of a socket as messages. */
function createReader(side: Side, extensions: string | undefined, maxPayload: number): Writable {
  const isServer = side === 'client';
  const accepted = extensions === undefined ? undefined : extension.parse(extensions)[compression];
  const inflater = new PerMessageDeflate({ isServer, maxPayload });
  if (accepted !== undefined) inflater.accept(accepted);
  return new Receiver({
    isServer,
    maxPayload,
    skipUTF8Validation: true,
    ...(accepted !== undefined && { extensions: { [compression]: inflater } }),
  });
}

/** Codings that can be undone here. An answer in another one is not judged by its body. */
const knownCodings = ['identity', 'gzip', 'deflate', 'br'];

/** Converts a copy to an exchange for the judge. */
export function exchangeOf({ exchange, sent, isAnswerLost }: Copy, maximum: number): Exchange {
  if (exchange.kind === 'live') {
    const { request, response } = exchange.upgrade;
    return { ...exchange, upgrade: { request, response: wholeOf(response, isAnswerLost, maximum) } };
  }
  const request = sent.length === 0 ? exchange.request : { ...exchange.request, body: joined(sent) };
  return { ...exchange, request, response: wholeOf(exchange.response, isAnswerLost, maximum) };
}

function wholeOf(response: RecordedResponse, isLost: boolean, maximum: number): RecordedResponse {
  const { chunks = [], ...rest } = response;
  const coding = response.headers['content-encoding'];
  const isUnknown = coding !== undefined && !knownCodings.includes(coding);
  const body = joined(chunks.map(({ bytes }) => bytes));
  const plain = isUnknown ? body : uncompressed(body, coding, maximum);
  // A body that can't be decompressed stays as it came, and would be judged as if it were the answer.
  const isMissing = isLost || isUnknown || (coding !== undefined && plain === body && body.length > 0);
  if (isMissing) return { ...rest, body: new Uint8Array(), isBodyMissing: true };
  return { ...rest, body: plain, ...(plain === body && { chunks }) };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

/** The part of an exchange that is needed once it has been judged by itself. */
export function withoutBodies(exchange: Exchange): Exchange {
  if (exchange.kind === 'live') return { ...exchange, messages: [] };
  const { body: _sent, decoded: _decoded, ...request } = exchange.request;
  const { status, ended, headers }: { status: number; ended: RecordedResponse['ended']; headers: Headers } =
    exchange.response;
  const response = { status, headers, ended, body: new Uint8Array(), isBodyMissing: true };
  return { ...exchange, request, response };
}

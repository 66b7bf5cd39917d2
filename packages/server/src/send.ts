import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { mediaTypes } from '@speech-api/types';
import { CutOnPurpose, faultsOf, misbehave } from './faults.ts';
import type { Refusal } from './refusal.ts';

/** Sends a whole answer as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  sendWhole(response, {
    status,
    headers: { ...headers, 'content-type': mediaTypes.json, 'content-length': bytes.length },
    bytes,
  });
}

const noContent = 204;

/** Sends an answer without a body; the default status is 200. */
export function sendNothing(
  response: ServerResponse,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = status === noContent ? {} : { 'content-length': 0 };
  sendWhole(response, { status, headers: { ...headers, ...length }, bytes: new Uint8Array(0) });
}

interface AnswerHead {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
}

function sendWhole(response: ServerResponse, answer: AnswerHead & { readonly bytes: Uint8Array }): void {
  if (faultsOf(response) === undefined) {
    response.writeHead(answer.status, answer.headers).end(answer.bytes);
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // A cut on purpose and a caller who left are not failures.
  sendPieces(response, answer, [answer.bytes], gone.signal).catch(() => {});
}

/** Options for streaming pieces as an answer. */
export interface StreamOptions<Piece> {
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly encode: (piece: Piece) => Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Sends pieces as they are made, and asks for the next one only when the connection has taken the last: a slow reader
 * slows the maker down instead of filling memory.
 *
 * A failure before the first piece is thrown, so that it can still become an error answer. After that the status is
 * out, and the connection is cut: the reader sees a broken body, never one that seems to have ended well.
 *
 * @throws whatever the maker throws, before or after the first piece
 */
export async function sendStream<Piece>(
  response: ServerResponse,
  pieces: AsyncIterable<Piece>,
  { contentType, headers, encode, signal }: StreamOptions<Piece>,
): Promise<void> {
  const head = { status: 200, headers: { ...headers, 'content-type': contentType } };
  await sendPieces(response, head, encoded(pieces, encode), signal);
}

async function* encoded<Piece>(
  pieces: AsyncIterable<Piece>,
  encode: (piece: Piece) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const bytes = encode(piece);
    if (bytes.length > 0) yield bytes;
  }
}

async function sendPieces(
  response: ServerResponse,
  { status, headers }: AnswerHead,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const faults = faultsOf(response);
  const isEvents = headers['content-type'] === mediaTypes.eventStream;
  const pieces = faults === undefined ? source : misbehave(source, faults, { isEvents, signal });
  const head = {
    ...headers,
    ...(faults?.mediaType === undefined ? {} : { 'content-type': faults.mediaType }),
  };
  let written: Promise<unknown> = Promise.resolve();
  try {
    for await (const bytes of pieces) {
      if (!response.headersSent) response.writeHead(status, head);
      let isDrained = true;
      written = new Promise<void>((resolve) => {
        isDrained = response.write(bytes, () => resolve());
      });
      if (!isDrained) await once(response, 'drain', { signal });
    }
    // An aborted source may end without an error, but its answer is incomplete.
    signal.throwIfAborted();
  } catch (error) {
    if (error instanceof CutOnPurpose && !response.headersSent) {
      response.writeHead(status, head).flushHeaders();
      written = new Promise((resolve) => response.socket?.write('', resolve) ?? resolve(undefined));
    }
    if (response.headersSent) {
      // Pieces made before the failure are still delivered.
      if (!signal.aborted) await Promise.race([written, once(response, 'close')]);
      response.destroy();
    }
    throw error;
  }
  if (!response.headersSent) response.writeHead(status, head);
  response.end();
}

const unauthorized = 401;
/** The authentication scheme is always Bearer. */
const challenge = { 'www-authenticate': 'Bearer' };

/**
 * Answers with the body the spec gives the refusal. The connection stays open: Node then reads what is left of the body and
 * throws it away, and a sender that writes it all before it reads still gets the answer.
 */
export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  sendJson(response, refusal.status, refusal.body, {
    ...(refusal.status === unauthorized ? challenge : {}),
    ...refusal.headers,
  });
}

const statuses: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/** Answers bytes that are not HTTP and never become a request object. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = statuses[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify({ status, message });
  const head = [
    `HTTP/1.1 ${status} Refused`,
    `content-type: ${mediaTypes.json}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

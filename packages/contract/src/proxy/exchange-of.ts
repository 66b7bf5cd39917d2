import type { Exchange, Headers, LiveClose, LiveMessage, RecordedResponse } from '../exchange.ts';
import { findOperation } from '../specification/operations.ts';
import { uncompressed } from '../transport/send-call.ts';
import type { Copy, Piece } from './copies.ts';
import { createFrameReader } from './frames.ts';

/** Codings that can be undone here. An answer in another one is not judged by its body. */
const knownCodings = ['identity', 'gzip', 'deflate', 'br'];

/**
 * What a copy says, as the judge reads it.
 *
 * @throws Error when a side of a socket can't be read; the message says why
 */
export function exchangeOf(copy: Copy, maximum: number): Exchange | undefined {
  const { name, method, url, headers, answer } = copy;
  const operation = findOperation(method, url);
  if (operation === undefined) return undefined;
  if (operation.id !== 'openLiveSession') {
    const body = joined(copy.pieces, 'client');
    return {
      kind: 'http',
      name,
      operationId: operation.id,
      request: { method, url, headers, ...(!copy.lost.client && body.length > 0 && { body }) },
      response: responseOf(copy, maximum),
    };
  }
  const isOpen = answer?.status === 101;
  // Of a session one side alone says nothing.
  if (isOpen && (copy.lost.client || copy.lost.server)) return undefined;
  return {
    kind: 'live',
    name,
    operationId: operation.id,
    upgrade: {
      request: { method: 'GET', url, headers },
      response: isOpen
        ? { status: 101, headers: answer.headers, body: new Uint8Array(), ended: 'complete' }
        : responseOf(copy, maximum),
    },
    ...(isOpen ? readSession(copy.pieces, maximum) : { messages: [] }),
  };
}

function responseOf({ answer, pieces, lost, ended }: Copy, maximum: number): RecordedResponse {
  if (answer === undefined) return { status: 0, headers: {}, body: new Uint8Array(), ended: 'cut' };
  const { status, headers, httpVersion } = answer;
  const coding = headers['content-encoding'];
  const isUnknown = coding !== undefined && !knownCodings.includes(coding);
  const body = joined(pieces, 'server');
  const plain = isUnknown ? body : uncompressed(body, coding, maximum);
  // What can't be decompressed stays as it came, and would be judged as if it were the answer.
  const isMissing = lost.server || isUnknown || (coding !== undefined && plain === body && body.length > 0);
  const chunks = pieces.filter(({ from }) => from === 'server').map(({ atMs, bytes }) => ({ atMs, bytes }));
  return {
    status,
    headers,
    httpVersion,
    ended: ended === 'complete' ? 'complete' : 'cut',
    body: isMissing ? new Uint8Array() : plain,
    ...(isMissing ? { isBodyMissing: true } : plain === body && { chunks }),
  };
}

function joined(pieces: readonly Piece[], from: Piece['from']): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces.filter((each) => each.from === from).map(({ bytes }) => bytes)));
}

function readSession(
  pieces: readonly Piece[],
  maximum: number,
): { messages: readonly LiveMessage[]; close: LiveClose; clientLeft: boolean } {
  const readers = { client: createFrameReader(maximum), server: createFrameReader(maximum) };
  const messages: LiveMessage[] = [];
  let close: LiveClose | undefined;
  for (const { from, atMs, bytes } of pieces) {
    for (const said of readers[from](bytes)) {
      if ('close' in said) close ??= { ...said.close, by: from, atMs };
      else messages.push({ direction: from === 'client' ? 'sent' : 'received', atMs, ...said.message });
    }
  }
  // Who breaks the connection without a word is not seen here; a client may do so.
  const end = close ?? { code: 1006, reason: '', by: 'nobody' as const, atMs: pieces.at(-1)?.atMs ?? 0 };
  return { messages, close: end, clientLeft: end.by !== 'server' };
}

/** The part of an exchange that is needed once it has been judged by itself. */
export function withoutBodies(exchange: Exchange): Exchange {
  if (exchange.kind === 'live') return { ...exchange, messages: [] };
  const { request, response } = exchange;
  const { body: _sent, decoded: _decoded, ...asked } = request;
  return { ...exchange, request: asked, response: lightened(response) };
}

function lightened({ status, headers, ended }: RecordedResponse): RecordedResponse {
  const kept: Headers = headers;
  return { status, headers: kept, ended, body: new Uint8Array(), isBodyMissing: true };
}

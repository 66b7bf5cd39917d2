import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { BodyEnd, Headers, RecordedRequest, RecordedResponse } from '../exchange.ts';

/** Limits on waiting and reading. */
export interface TransportLimits {
  /** Maximum number of milliseconds between two pieces of an answer. */
  readonly idleMs: number;
  /** Milliseconds for a whole answer. */
  readonly totalMs: number;
}

/** An answer as it was seen on the wire, and when. */
interface Answer {
  readonly response: RecordedResponse;
  /** The system's error if there is no answer; `response.status` is then 0. */
  readonly failure?: NodeJS.ErrnoException;
}

// A separate connection for each call: one that a server closes while we reuse it would look like a lost
// answer, and a POST is never sent a second time.
const agents = {
  'http:': new PlainAgent({ keepAlive: false }),
  'https:': new SecureAgent({ keepAlive: false }),
};

/** Sends one request, once, and notes down all that comes back. Never rejects. */
export function sendCall(
  { url, method, headers, body }: RecordedRequest,
  limits: TransportLimits,
  signal?: AbortSignal,
): Promise<Answer> {
  const isSecure = new URL(url).protocol === 'https:';
  const options = {
    method,
    headers,
    agent: isSecure ? agents['https:'] : agents['http:'],
    timeout: limits.idleMs,
    ...(signal !== undefined && { signal }),
  };
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const outgoing = (isSecure ? secureRequest : plainRequest)(url, options);
    let isAnswered = false;
    const fail = (failure: Error, ended: BodyEnd = 'cut') => {
      // Once an answer has begun, the end of its body shows what happened to the connection.
      if (isAnswered) return;
      clearTimeout(total);
      outgoing.destroy();
      resolve({ response: { status: 0, headers: {}, body: new Uint8Array(), ended }, failure });
    };
    const late = () => fail(new Error('nothing arrived in time'), 'deadline');
    const total = setTimeout(late, limits.totalMs);
    outgoing.on('timeout', late);
    outgoing.on('response', (incoming) => {
      isAnswered = true;
      clearTimeout(total);
      const totalMs = limits.totalMs - (performance.now() - startedAt);
      resolve(readAnswer(incoming, { ...limits, totalMs }).then((response) => ({ response })));
    });
    outgoing.on('error', fail);
    outgoing.on('close', () => fail(new Error('the connection ended without an answer')));
    outgoing.end(body);
  });
}

/** Reads an answer as far as it comes within the limits. Never rejects. */
export function readAnswer(
  incoming: IncomingMessage,
  { idleMs, totalMs }: TransportLimits,
): Promise<RecordedResponse> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let isLate = false;
    const stop = () => {
      isLate = true;
      incoming.destroy();
    };
    const total = setTimeout(stop, totalMs);
    incoming.setTimeout(idleMs, stop);
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('error', () => {});
    incoming.on('close', () => {
      clearTimeout(total);
      const body = new Uint8Array(Buffer.concat(pieces));
      resolve({
        status: incoming.statusCode ?? 0,
        httpVersion: '1.1',
        headers: headersOf(incoming),
        body: uncompressed(body, incoming.headers['content-encoding']),
        ended: isLate ? 'deadline' : incoming.complete ? 'complete' : 'cut',
      });
    });
  });
}

/** The headers as they came, by lower-case name; several of one name are joined by `, `. */
export function headersOf({ rawHeaders: raw }: IncomingMessage): Headers {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** A body without the compression that some servers apply unasked; one that can not be undone stays as it came. */
export function uncompressed(body: Uint8Array, coding: string | undefined): Uint8Array {
  if (coding !== 'gzip' && coding !== 'deflate' && coding !== 'br') return body;
  const undo = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[coding];
  try {
    return new Uint8Array(undo(body));
  } catch {
    return body;
  }
}

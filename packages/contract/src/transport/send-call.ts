import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { BodyEnd, Headers, RecordedChunk, RecordedRequest, RecordedResponse } from '../exchange.ts';

/** Limits on waiting and reading. */
export interface TransportLimits {
  /** Milliseconds in which something must arrive, again and again. */
  readonly idleMs: number;
  /** Milliseconds for a whole answer. */
  readonly totalMs: number;
  /** Bytes of a body that are read. */
  readonly bodyBytes: number;
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
  call: RecordedRequest,
  limits: TransportLimits,
  signal?: AbortSignal,
): Promise<Answer> {
  const url = new URL(call.url);
  const secure = url.protocol === 'https:';
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let incoming: IncomingMessage | undefined;
    let ended: BodyEnd | undefined;
    const chunks: RecordedChunk[] = [];
    let size = 0;
    let finished = false;
    const finish = (failure?: NodeJS.ErrnoException) => {
      if (finished) return;
      finished = true;
      clearTimeout(total);
      const end = ended ?? (incoming?.complete === true ? 'complete' : 'cut');
      resolve({
        response: {
          status: incoming?.statusCode ?? 0,
          ...(incoming !== undefined && { httpVersion: '1.1' as const }),
          headers: headersOf(incoming),
          body: uncompressed(
            new Uint8Array(Buffer.concat(chunks.map(({ bytes }) => bytes))),
            incoming?.headers['content-encoding'],
            limits.bodyBytes,
          ),
          chunks,
          ended: end,
        },
        ...(incoming === undefined && {
          failure: failure ?? new Error('the connection ended without an answer'),
        }),
      });
    };
    const stop = (reason: BodyEnd) => {
      ended ??= reason;
      const failure = new Error(reason === 'deadline' ? 'nothing arrived in time' : 'stopped');
      outgoing.destroy(failure);
      finish(failure);
    };
    const outgoing = (secure ? secureRequest : plainRequest)(
      url,
      {
        method: call.method,
        headers: call.headers,
        agent: secure ? agents['https:'] : agents['http:'],
        timeout: limits.idleMs,
        ...(signal !== undefined && { signal }),
      },
      (response) => {
        incoming = response;
        response.on('data', (bytes: Buffer) => {
          chunks.push({ atMs: Math.round(performance.now() - startedAt), bytes: new Uint8Array(bytes) });
          size += bytes.length;
          if (size > limits.bodyBytes) stop('too-large');
        });
        response.on('error', () => finish());
        response.on('close', () => finish());
      },
    );
    const total = setTimeout(() => stop('deadline'), limits.totalMs);
    outgoing.on('timeout', () => stop('deadline'));
    // Once an answer has begun, the end of its body shows what happened to the connection.
    outgoing.on('error', (error) => {
      if (incoming === undefined) finish(error);
    });
    outgoing.on('close', () => {
      if (incoming === undefined) finish();
    });
    outgoing.end(call.body);
  });
}

/** Explains in words why no answer came. */
export function describeFailure(failure: NodeJS.ErrnoException): string {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was closed without an answer',
    EPIPE: 'the connection was closed without an answer',
    ETIMEDOUT: 'the connection timed out',
  };
  return known[failure.code ?? ''] ?? (failure.message || failure.code || 'the reason is unknown');
}

/** The headers as they came, by lower-case name; several of one name are joined by `, `. */
export function headersOf(response: IncomingMessage | undefined): Headers {
  const headers: Record<string, string> = {};
  const raw = response?.rawHeaders ?? [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** A body without the compression that some servers apply unasked; one that can not be undone stays as it came. */
export function uncompressed(body: Uint8Array, coding: string | undefined, maximum: number): Uint8Array {
  if (coding !== 'gzip' && coding !== 'deflate' && coding !== 'br') return body;
  const undo = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[coding];
  try {
    return new Uint8Array(undo(body, { maxOutputLength: maximum }));
  } catch {
    return body;
  }
}

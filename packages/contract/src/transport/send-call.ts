import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { UsageError } from '../errors.ts';
import type { BodyEnd, Headers, RecordedRequest, RecordedResponse } from '../exchange.ts';

/** Limits on waiting and reading. */
export interface TransportLimits {
  /** Maximum number of milliseconds between two pieces of an answer. */
  readonly idleMs: number;
  /** Milliseconds for a whole answer. */
  readonly totalMs: number;
}

/** An answer as received, with its times. */
interface Answer {
  readonly response: RecordedResponse;
  /** The system's error, if there is no answer; `response.status` is then 0. */
  readonly failure?: NodeJS.ErrnoException;
}

// A separate connection for each call: one that a server closes while we reuse it would look like a lost
// answer, and a POST is never sent a second time.
const agents = {
  'http:': new PlainAgent({ keepAlive: false }),
  'https:': new SecureAgent({ keepAlive: false }),
};

/** Sends one request once and records the whole answer. Never rejects. */
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
    let flaw: string | undefined;
    const fail = (failure: NodeJS.ErrnoException, ended: BodyEnd = 'cut') => {
      // Once an answer has begun, the end of its body shows what happened to the connection, and only a flaw in HTTP says more.
      if (isAnswered) {
        if (failure.code?.startsWith('HPE_') === true) flaw = `${failure.message} (${failure.code})`;
        return;
      }
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
      const answer = readAnswer(incoming, { ...limits, totalMs });
      resolve(answer.then((response) => ({ response: { ...response, ...(flaw && { failure: flaw }) } })));
    });
    outgoing.on('error', fail);
    outgoing.on('close', () => fail(new Error('the connection ended without an answer')));
    outgoing.end(body);
  });
}

/** Reads an answer as far as it arrives within the limits. Never rejects. */
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

/** The received headers by lower-case name; several of one name are joined by `, `. */
export function headersOf({ rawHeaders: raw }: IncomingMessage): Headers {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** Removes compression that a server applied unasked; a body that cannot be decompressed stays unchanged. */
export function uncompressed(body: Uint8Array, coding: string | undefined): Uint8Array {
  if (coding !== 'gzip' && coding !== 'deflate' && coding !== 'br') return body;
  const undo = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[coding];
  try {
    return new Uint8Array(undo(body));
  } catch {
    return body;
  }
}

type Failure = Error & { readonly code?: string };

/** The system's codes for a missing answer: the reason, and what may help. `--target` stands for the option. */
const failures: Readonly<Record<string, readonly [reason: string, advice?: string]>> = {
  ECONNREFUSED: ['the connection was refused', 'Start the server, or check host and port'],
  ECONNRESET: ['the connection was closed without an answer'],
  EPIPE: ['the connection was closed without an answer'],
  ENOTFOUND: ['there is no such host', 'Check the address'],
  EAI_AGAIN: ['the name cannot be looked up', 'Check the network and the address'],
  ETIMEDOUT: ['the connection timed out', 'Check the network and the address'],
  CERT_HAS_EXPIRED: ['the certificate has expired'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'the certificate is self-signed',
    'Set NODE_EXTRA_CA_CERTS to a file with the certificate',
  ],
  EPROTO: ['the server does not speak TLS there', 'Use http:// in --target'],
  HPE_INVALID_CONSTANT: ['the answer is not HTTP/1.1', 'Check the port, or use https:// in --target'],
};

/** Explains in words why no answer came. */
export function describeFailure({ code = '', message }: Failure): string {
  return failures[code]?.[0] ?? (message || code || 'the reason is unknown');
}

/** The same for an address from an option, with advice. */
export function whyUnreachable(failure: Failure, base: string, option = '--target'): string {
  const advice = failures[failure.code ?? '']?.[1]?.replace('--target', option);
  return `${base} cannot be reached: ${describeFailure(failure)}.${advice === undefined ? '' : ` ${advice}.`}`;
}

/** @throws UsageError when an address is invalid; it does not repeat the address, which may hold a password */
export function readAddress(option: string, value: string, protocols: readonly string[]): string {
  const url = URL.parse(value);
  const fitting = protocols.map((protocol) => `${protocol}//`).join(' or ');
  if (url === null || !protocols.includes(url.protocol))
    throw new UsageError(`${option} must be an address that begins with ${fitting}.`);
  if (url.username + url.password + url.search + url.hash !== '')
    throw new UsageError(
      `${option} must hold no name, password or query; the key comes from SPEECH_API_KEY.`,
    );
  return `${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, '');
}

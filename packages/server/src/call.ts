import { randomUUID } from 'node:crypto';
import { headerNames, mediaTypes, operationTable } from '@speech-api/types';
import type { LiveService } from './live/session.ts';
import type { Operation } from './operations.ts';
import type { OriginPolicy } from './origins.ts';
import type { IncomingRequest, ReceivedCall, ServerChecks } from './receive.ts';
import { Refusal } from './refusal.ts';

/** What a server answers to a call. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Pieces are made as they are sent: a slow reader slows the maker down. A failure before the first piece becomes an error
   * answer; after it the connection is cut, so that a broken body never seems to have ended well.
   */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  /** The speech of a connection that becomes a WebSocket, with the status 101. */
  readonly live?: LiveService;
}

/** The status of a connection that becomes a WebSocket. */
export const switchingProtocols = 101;

/** An answer with a whole body. */
export function bytesAnswer(status: number, body: Uint8Array, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { ...headers, 'content-length': String(body.length) }, body };
}

/** An answer with a value as JSON. */
export function jsonAnswer(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  const body = Buffer.from(JSON.stringify(value));
  return bytesAnswer(status, body, { ...headers, 'content-type': mediaTypes.json });
}

const noContent = 204;

/** An answer without a body. */
export function emptyAnswer(status = 200, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { ...headers, ...(status === noContent ? {} : { 'content-length': '0' }) } };
}

const unauthorized = 401;
/** The authentication scheme is always Bearer. */
const challenge = { 'www-authenticate': 'Bearer' };

/** The answer with the body that the spec gives a refusal. */
export function refusalAnswer({ status, body, headers }: Refusal): Answer {
  return jsonAnswer(status, body, { ...(status === unauthorized ? challenge : {}), ...headers });
}

/** A server's handling of one call of the interface. */
export interface Visit {
  /** The checks that need the server's own knowledge, by the id of their refusal. */
  readonly checks: ServerChecks;
  /** The path and query to check and answer, if they differ from those that were sent. */
  readonly url?: string;
  /** Receives a call that passed all checks, before its faults are applied. */
  onReceived?(call: ReceivedCall): void;
  /** Answers a call that passed all checks; may still throw a `Refusal`. */
  answer(call: ReceivedCall): Answer | Promise<Answer>;
  /** Receives why the call, or a message of its live session, was refused. */
  onRefusal?(refusal: Refusal): void;
  /** Receives the faults of the answer as they were requested. */
  onFaults?(words: string): void;
  /** Receives the answer when it begins to leave. */
  onAnswer?(answer: Answer): void;
  /** Called once, when the answer has left or the caller is gone. */
  onEnd?(outcome: Outcome): void;
}

/** How a call ended. */
export interface Outcome {
  /** Undefined if the caller left before the answer, or the connection ended without one. */
  readonly status: number | undefined;
  /** Whether the whole answer left. */
  readonly isComplete: boolean;
  readonly milliseconds: number;
}

/** The service that a server runs. */
export interface Service {
  /** Name of the server in messages: `mock`, `sandbox`. */
  readonly name: string;
  /** Answers one of the server's own pages, which need no key; undefined if the request is for none of them. */
  answerOwnPage(call: Call): Answer | undefined | Promise<Answer | undefined>;
  /** Begins a call of the interface. */
  visit(call: Call): Visit;
  /** Called once for every request, including preflights and the server's own pages, when it is over. */
  onEnd?(call: Call, outcome: Outcome): void;
  /** Receives errors of the server itself. */
  onFailure(error: unknown, call: Call): void;
  /** Called during close, after all connections have ended: stops remaining work for cut calls. */
  release?(): Promise<void>;
}

/** Properties of a call in addition to its request. */
export interface CallOptions {
  /** Aborted when the caller is gone or the server closes. */
  readonly signal: AbortSignal;
  /** Whether the request asks for a WebSocket. @defaultValue false */
  readonly isUpgrade?: boolean;
  /** Whether the live session has word times. @defaultValue false */
  readonly isTimed?: boolean;
}

/** One request on its way through a server, whether it came by a socket or from the same process. */
export class Call {
  readonly request: IncomingRequest;
  /** Path without the query. */
  readonly path: string;
  readonly traceId: string;
  /** The caller's key, if the header has the form of one. Never logged. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
  readonly isUpgrade: boolean;
  readonly isTimed: boolean;
  /** Headers of the answer, whichever it will be. */
  readonly answerHeaders: Record<string, string>;
  /** Undefined until path and method are known to belong to an operation. */
  operation: Operation | undefined;
  /** Refusal of the request, or of the last refused message of its live session. */
  refusal: Refusal | undefined;
  visit: Visit | undefined;
  readonly #service: Service;
  readonly #origins: OriginPolicy;
  readonly #start = performance.now();
  #status: number | undefined;

  constructor(
    { service, origins }: { readonly service: Service; readonly origins: OriginPolicy },
    request: IncomingRequest,
    { signal, isUpgrade = false, isTimed = false }: CallOptions,
  ) {
    this.#service = service;
    this.#origins = origins;
    this.request = request;
    this.path = request.url.split('?')[0] ?? '';
    this.traceId = traceIdOf(this.path, request);
    this.key = readBearerKey(request.headers.authorization);
    this.signal = signal;
    this.isUpgrade = isUpgrade;
    this.isTimed = isTimed;
    this.answerHeaders = {
      [headerNames.traceId]: this.traceId,
      ...origins.headersFor(request.headers.origin),
    };
  }

  /** @throws Refusal `foreign-host` */
  checkHost(): void {
    this.#origins.checkHost(this.request.headers.host);
  }

  /** @throws Refusal `foreign-origin` */
  checkOrigin(): void {
    this.#origins.checkOrigin(this.request.headers.origin);
  }

  noteRefusal(refusal: Refusal): void {
    this.refusal = refusal;
    this.visit?.onRefusal?.(refusal);
  }

  /** Notes why the call failed; neither a caller who left nor a cut on purpose is a failure of the server. */
  noteFailure(error: unknown): void {
    if (error instanceof Refusal) this.noteRefusal(error);
    else if (!isAbort(error) && !(error instanceof CutOnPurpose)) this.#service.onFailure(error, this);
  }

  /** Records that this answer begins to leave. */
  answers(answer: Answer): void {
    this.#status = answer.status;
    this.visit?.onAnswer?.(answer);
  }

  /** Records that the call is over. */
  ends(isComplete: boolean): void {
    const milliseconds = Math.round(performance.now() - this.#start);
    const outcome = { status: this.#status, isComplete, milliseconds };
    this.visit?.onEnd?.(outcome);
    this.#service.onEnd?.(this, outcome);
  }
}

/** Thrown where an answer is cut on purpose; it is no error of the server. */
export class CutOnPurpose extends Error {
  override readonly name = 'CutOnPurpose';

  constructor() {
    super('The answer was asked to break off here.');
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** The key of an Authorization header, or `undefined` when the header is absent or has another form. */
export function readBearerKey(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w\-.~+/]+=*) *$/i.exec(authorization ?? '')?.[1];
}

const shape = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;

/**
 * The trace id of a W3C `traceparent` header, or `undefined` when the header is absent or invalid.
 *
 * A version later than 00 may have more after its flags; version ff and ids of only zeros are invalid.
 */
export function readTraceId(header: string | undefined): string | undefined {
  const [, version, traceId, parentId, rest] = shape.exec(header ?? '') ?? [];
  if (version === undefined || traceId === undefined || parentId === undefined) return undefined;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(parentId) ? undefined : traceId;
}

/** A new trace id of 32 hex digits. It is a UUID, which Node takes from a pool: many times faster than 16 fresh bytes. */
function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Endpoints that take `traceparent` continue a valid trace; all other requests start their own. */
function traceIdOf(path: string, { headers }: IncomingRequest): string {
  const traced = Object.values(operationTable).some((row) => row.acceptsTraceparent && row.path === path);
  return (traced ? readTraceId(headers[headerNames.traceparent]) : undefined) ?? newTraceId();
}

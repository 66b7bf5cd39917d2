import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { headerNames, operationTable } from '@speech-api/types';
import type { FaultPlan } from './faults.ts';
import type { Operation } from './operations.ts';
import type { OriginPolicy } from './origins.ts';
import type { ReceivedCall, Receiver, ServerChecks } from './receive.ts';
import type { Refusal } from './refusal.ts';

/** A server's handling of one call of the interface. */
export interface Visit {
  /** The checks that need the server's own knowledge, by the id of their refusal. */
  readonly checks: ServerChecks;
  /** Receives a call that passed all checks, before its faults are applied. */
  onReceived?(call: ReceivedCall): void;
  /** Answers a call that passed all checks; may still throw a `Refusal`. */
  answer(call: ReceivedCall): void | Promise<void>;
  /** Receives why the call, or a message of its live session, was refused. */
  onRefusal?(refusal: Refusal): void;
  /** Receives the faults of the answer as they were requested. */
  onFaults?(words: string): void;
}

/** The service that a server runs. */
export interface Service {
  /** Name of the server in messages: `mock`, `sandbox`. */
  readonly name: string;
  /** Request headers that a page may send in addition to those of the interface. */
  readonly requestHeaders?: readonly string[];
  /** Called first for every request, including preflights and the server's own pages. */
  onRequest?(exchange: Exchange): void;
  /** Answers one of the server's own pages, which need no key. @returns whether the request was for one */
  answerOwnPage(exchange: Exchange): boolean | Promise<boolean>;
  /** Begins a call of the interface. */
  visit(exchange: Exchange): Visit;
  /** Receives errors of the server itself. */
  onFailure(error: unknown, exchange: Exchange): void;
  /** Called during close, after all connections have ended: stops remaining work for cut calls. */
  release?(): Promise<void>;
}

/** The running server as its service sees it. */
export interface Shell {
  readonly service: Service;
  readonly receiver: Receiver;
  readonly origins: OriginPolicy;
  readonly faults: FaultPlan;
  readonly closing: AbortSignal;
}

/** A request to change to WebSocket, and the connection it came on. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that arrived directly after the head. */
  readonly head: Buffer;
  /** Whether the request is for word times. */
  readonly withTimestamps: boolean;
}

/** One request and its answer, from the head to the close of the connection. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Undefined unless the request asks for a WebSocket. */
  readonly upgrade: Upgrade | undefined;
  readonly traceId: string;
  /** The caller's key, if the header has the form of one. Never logged. */
  readonly key: string | undefined;
  /** Aborted when the caller is gone or the server closes. */
  readonly signal: AbortSignal;
  readonly origins: OriginPolicy;
  /** Undefined until path and method are known to belong to an operation. */
  operation: Operation | undefined;
  /** Refusal of the request, or of the last refused message of its live session. */
  refusal: Refusal | undefined;
  visit: Visit | undefined;
  readonly #service: Service;

  constructor(
    { service, closing, origins }: Shell,
    request: IncomingMessage,
    response: ServerResponse,
    upgrade: Upgrade | undefined,
  ) {
    const gone = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    response.on('error', () => gone.abort());
    this.#service = service;
    this.request = request;
    this.response = response;
    this.upgrade = upgrade;
    this.origins = origins;
    this.traceId = traceIdOf(request);
    this.key = readBearerKey(request.headers.authorization);
    this.signal = AbortSignal.any([gone.signal, closing]);
  }

  noteRefusal(refusal: Refusal): void {
    this.refusal = refusal;
    this.visit?.onRefusal?.(refusal);
  }

  /** Reports an error of the server itself. */
  noteFailure(error: unknown): void {
    this.#service.onFailure(error, this);
  }
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
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Endpoints that take `traceparent` continue a valid trace; all other requests start their own. */
export function traceIdOf(request: IncomingMessage): string {
  const path = (request.url ?? '').split('?')[0];
  const traced = Object.values(operationTable).some((row) => row.acceptsTraceparent && row.path === path);
  const header = [request.headers[headerNames.traceparent]].flat().join(',');
  return (traced ? readTraceId(header) : undefined) ?? newTraceId();
}

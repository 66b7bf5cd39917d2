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
  /** Receives the faults that the answer gets, as they were asked for. */
  onFaults?(words: string): void;
}

/** The service inside the shell of a server. */
export interface Service {
  /** Name of the server in messages: `mock`, `sandbox`. */
  readonly name: string;
  /** Request headers that a page may send in addition to those of the interface. */
  readonly requestHeaders?: readonly string[];
  /** Called first for every request, preflights and pages of the server's own included. */
  onRequest?(exchange: Exchange): void;
  /** Answers a page of the server's own, which needs no key. @returns whether the request was for one */
  answerOwnPage(exchange: Exchange): boolean | Promise<boolean>;
  /** Begins a call of the interface. */
  visit(exchange: Exchange): Visit;
  /** Receives why the server itself failed. */
  onFailure(error: unknown, exchange: Exchange): void;
  /** Called while closing, when every connection is gone: stops what still works for calls that were cut. */
  release?(): Promise<void>;
}

/** A server around its service. */
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
  /** Bytes that already arrived after the head. */
  readonly head: Buffer;
  /** Whether the request is for word times. */
  readonly withTimestamps: boolean;
}

/** One request and its answer, from the head to the close of the connection. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Absent unless the request asks to become a WebSocket. */
  readonly upgrade: Upgrade | undefined;
  readonly traceId: string;
  /** The key of the caller, where the header has the form of one. Never for a log. */
  readonly key: string | undefined;
  /** Aborted when the caller is gone or the server closes. */
  readonly signal: AbortSignal;
  readonly origins: OriginPolicy;
  /** Absent until the path and the method are known to be those of an operation. */
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

  /** Reports why the server itself failed. */
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

/** A new trace id: 32 hex digits. A UUID is one, and Node makes them from a pool: many times faster than 16 fresh bytes. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** The endpoints that take `traceparent` continue a valid trace; all others, and all else, start their own. */
export function traceIdOf(request: IncomingMessage): string {
  const path = (request.url ?? '').split('?')[0];
  const traced = Object.values(operationTable).some((row) => row.acceptsTraceparent && row.path === path);
  const header = [request.headers[headerNames.traceparent]].flat().join(',');
  return (traced ? readTraceId(header) : undefined) ?? newTraceId();
}
